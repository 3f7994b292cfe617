// Animated GIF, written from scratch: frames of palette numbers, each only where it differs from the
// one before, packed by LZW (Welch 1984) as GIF89a asks.

/** Collects bytes. */
class Bytes {
  constructor() {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    this.parts = [];
    this.chunk = new Uint8Array(1 << 16);
    this.used = 0;
  }

  /** @param {number} byte */
  push(byte) {
    if (this.used === this.chunk.length) {
      this.parts.push(this.chunk);
      this.chunk = new Uint8Array(1 << 16);
      this.used = 0;
    }
    this.chunk[this.used] = byte;
    this.used += 1;
  }

  /** @param {string} text */
  text(text) {
    for (const c of text) this.push(c.charCodeAt(0));
  }

  /** @param {number} n */
  short(n) {
    this.push(n & 255);
    this.push((n >> 8) & 255);
  }

  blob() {
    return new Blob([...this.parts, this.chunk.subarray(0, this.used)], { type: "image/gif" });
  }
}

/**
 * Packs palette numbers as GIF wants them.
 * @param {Bytes} out
 * @param {Uint8Array} pixels
 * @param {number} bits of the palette
 */
export function lzw(out, pixels, bits) {
  const start = Math.max(2, bits);
  out.push(start);
  const clear = 1 << start;
  /** @type {number[]} */
  let block = [];
  let [buffer, held] = [0, 0];
  const flush = () => {
    if (!block.length) return;
    out.push(block.length);
    for (const byte of block) out.push(byte);
    block = [];
  };
  const emit = (/** @type {number} */ code, /** @type {number} */ size) => {
    buffer |= code << held;
    held += size;
    while (held >= 8) {
      block.push(buffer & 255);
      if (block.length === 255) flush();
      buffer >>>= 8;
      held -= 8;
    }
  };
  /** @type {Map<number, number>} */
  let table = new Map();
  let next = clear + 2;
  let size = start + 1;
  emit(clear, size);
  let prefix = pixels[0] ?? 0;
  for (let index = 1; index < pixels.length; index += 1) {
    const pixel = /** @type {number} */ (pixels[index]);
    const key = (prefix << 8) | pixel;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix, size);
    if (next === 4096) {
      emit(clear, size);
      table = new Map();
      next = clear + 2;
      size = start + 1;
    } else {
      if (next === 1 << size) size += 1;
      table.set(key, next);
      next += 1;
    }
    prefix = pixel;
  }
  emit(prefix, size);
  emit(clear + 1, size);
  if (held > 0) block.push(buffer & 255);
  flush();
  out.push(0);
}

/**
 * Maps pictures to a palette of at most 256 colours, nearest where there are more.
 */
class Palette {
  constructor() {
    /** @type {number[]} */
    this.colours = [];
    /** @type {Map<number, number>} */
    this.known = new Map();
  }

  /** @param {number} rgb */
  index(rgb) {
    const known = this.known.get(rgb);
    if (known !== undefined) return known;
    let found = this.colours.length;
    if (found < 256) this.colours.push(rgb);
    else {
      const far = (/** @type {number} */ other) => {
        const [r, g, b] = [
          (rgb >> 16) - (other >> 16),
          ((rgb >> 8) & 255) - ((other >> 8) & 255),
          (rgb & 255) - (other & 255),
        ];
        return r * r + g * g + b * b;
      };
      found = 0;
      for (let index = 1; index < 256; index += 1)
        if (far(this.colours[index] ?? 0) < far(this.colours[found] ?? 0)) found = index;
    }
    this.known.set(rgb, found);
    return found;
  }
}

/**
 * Writes an animation.
 * @param {number} width
 * @param {number} height
 * @param {number} frames
 * @param {(index: number) => ImageData} draw
 * @param {(index: number) => number} delay hundredths of a second
 * @param {(done: number) => void} [progress]
 * @returns {Promise<Blob>}
 */
export async function animate(width, height, frames, draw, delay, progress) {
  const palette = new Palette();
  const indices = (/** @type {ImageData} */ image) => {
    const words = new Uint32Array(image.data.buffer);
    const out = new Uint8Array(words.length);
    for (let at = 0; at < words.length; at += 1) {
      const word = /** @type {number} */ (words[at]);
      // The lowest bits of shaded edges are dropped: fewer colours, no visible difference.
      out[at] = palette.index((((word & 255) << 16) | (word & 0xff00) | ((word >> 16) & 255)) & 0xf8f8f8);
    }
    return out;
  };
  const body = new Bytes();
  /** @type {Uint8Array|null} */
  let before = null;
  for (let frame = 0; frame < frames; frame += 1) {
    const now = indices(draw(frame));
    let [left, top, right, bottom] = [0, 0, width, height];
    if (before) {
      [left, top, right, bottom] = [width, height, 0, 0];
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
          if (now[y * width + x] !== before[y * width + x]) {
            if (x < left) left = x;
            if (x >= right) right = x + 1;
            if (y < top) top = y;
            bottom = y + 1;
          }
        }
      }
      if (right <= left) [left, top, right, bottom] = [0, 0, 1, 1];
    }
    const part = new Uint8Array((right - left) * (bottom - top));
    for (let y = top; y < bottom; y += 1)
      part.set(now.subarray(y * width + left, y * width + right), (y - top) * (right - left));
    body.text("!");
    for (const byte of [0xf9, 4, 4]) body.push(byte);
    body.short(delay(frame));
    body.push(0);
    body.push(0);
    body.text(",");
    for (const n of [left, top, right - left, bottom - top]) body.short(n);
    body.push(0);
    lzw(body, part, 8);
    before = now;
    if (frame % 8 === 7) {
      progress?.(frame + 1);
      await new Promise((done) => setTimeout(done));
    }
  }
  const head = new Bytes();
  head.text("GIF89a");
  head.short(width);
  head.short(height);
  for (const byte of [0xf7, 0, 0]) head.push(byte);
  for (let index = 0; index < 256; index += 1) {
    const rgb = palette.colours[index] ?? 0;
    for (const byte of [rgb >> 16, (rgb >> 8) & 255, rgb & 255]) head.push(byte);
  }
  for (const byte of [0x21, 0xff, 11]) head.push(byte);
  head.text("NETSCAPE2.0");
  for (const byte of [3, 1, 0, 0, 0]) head.push(byte);
  body.push(0x3b);
  return new Blob([head.blob(), body.blob()], { type: "image/gif" });
}
