// Small finds for a worker in the middle of a search. Such a worker hears no message: it looks into a piece of memory that it
// shares with the page. Browsers give shared memory to pages that are isolated from other sites; the service worker sees to
// that from the second visit on (sw.js). Without it workers do their shares alone.

/** Bytes of all finds for one worker: thousands of solutions. */
const ROOM = 1 << 20;
/** The head holds the number of bytes that are written. */
const HEAD = 8;

/** Whether workers can be told anything. */
export const CAN_TELL = globalThis.crossOriginIsolated === true;

/** The page's end. */
export class Mailbox {
  constructor() {
    this.buffer = new SharedArrayBuffer(HEAD + ROOM);
    this.written = 0;
  }

  /** Puts a find in; where the room is full, the worker does without. @param {string} find */
  put(find) {
    const bytes = new TextEncoder().encode(find);
    if (this.written + 4 + bytes.length > ROOM) return;
    new DataView(this.buffer).setUint32(HEAD + this.written, bytes.length);
    new Uint8Array(this.buffer).set(bytes, HEAD + this.written + 4);
    this.written += 4 + bytes.length;
    Atomics.store(new Int32Array(this.buffer), 0, this.written);
  }
}

/** The worker's end: gives the finds one by one. @param {SharedArrayBuffer} buffer @returns {() => string|undefined} */
export function reader(buffer) {
  let read = 0;
  return () => {
    if (read >= Atomics.load(new Int32Array(buffer), 0)) return undefined;
    const length = new DataView(buffer).getUint32(HEAD + read);
    const from = HEAD + read + 4;
    read += 4 + length;
    // Text is decoded from memory of one's own.
    return new TextDecoder().decode(new Uint8Array(buffer).slice(from, from + length));
  };
}
