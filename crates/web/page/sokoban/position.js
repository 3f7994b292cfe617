// A position and the rules: walking, pushing, and finding a way. Cells are numbered row * width + column.

export const WALL = 1;
export const GOAL = 2;
export const BOX = 4;
export const PLAYER = 8;

/** @type {Record<string, number>} */
const CELLS = {
  "#": WALL,
  " ": 0,
  "-": 0,
  _: 0,
  ".": GOAL,
  o: GOAL,
  $: BOX,
  b: BOX,
  "*": BOX | GOAL,
  B: BOX | GOAL,
  "@": PLAYER,
  p: PLAYER,
  "+": PLAYER | GOAL,
  P: PLAYER | GOAL,
};
const LETTERS = {
  [WALL]: "#",
  [0]: " ",
  [GOAL]: ".",
  [BOX]: "$",
  [BOX | GOAL]: "*",
  [PLAYER]: "@",
  [PLAYER | GOAL]: "+",
};

/** @typedef {"l"|"r"|"u"|"d"} Direction */
/** @type {Direction[]} */
export const DIRECTIONS = ["l", "r", "u", "d"];
/** @type {Record<Direction, Direction>} */
const OPPOSITE = { l: "r", r: "l", u: "d", d: "u" };

export class Position {
  /**
   * @param {number} width
   * @param {number} height
   * @param {Uint8Array} cells
   */
  constructor(width, height, cells) {
    this.width = width;
    this.height = height;
    this.cells = cells;
    this.player = cells.findIndex((cell) => (cell & PLAYER) !== 0);
    /** @type {Direction} The way the player looks. */
    this.facing = "d";
    /** @type {Uint8Array|null} */
    this.insideCache = null;
  }

  /** @param {string} text */
  static parse(text) {
    const rows = text.replace(/\r/g, "").replace(/\n+$/, "").split("\n");
    const width = Math.max(1, ...rows.map((row) => row.length));
    const cells = new Uint8Array(width * rows.length);
    rows.forEach((row, y) => [...row].forEach((c, x) => (cells[y * width + x] = CELLS[c] ?? 0)));
    return new Position(width, rows.length, cells);
  }

  clone() {
    const copy = new Position(this.width, this.height, this.cells.slice());
    copy.facing = this.facing;
    copy.insideCache = this.insideCache;
    return copy;
  }

  /** The same board with boxes and player elsewhere. @param {number[]} boxes @param {number} player */
  with(boxes, player) {
    const copy = new Position(
      this.width,
      this.height,
      this.cells.map((cell) => cell & (WALL | GOAL)),
    );
    for (const cell of boxes) copy.put(cell, BOX);
    copy.put(player, PLAYER);
    copy.player = player;
    return copy;
  }

  toString() {
    const rows = [];
    for (let y = 0; y < this.height; y += 1) {
      let row = "";
      for (let x = 0; x < this.width; x += 1) row += LETTERS[this.cells[y * this.width + x] ?? 0] ?? " ";
      rows.push(row.trimEnd());
    }
    return `${rows.join("\n")}\n`;
  }

  /** @param {number} cell @param {number} what */
  has(cell, what) {
    return ((this.cells[cell] ?? WALL) & what) !== 0;
  }

  /**
   * The cell next to one; -1 off the board.
   * @param {number} cell
   * @param {Direction} direction
   */
  beside(cell, direction) {
    const x = cell % this.width;
    if (direction === "l") return x > 0 ? cell - 1 : -1;
    if (direction === "r") return x + 1 < this.width ? cell + 1 : -1;
    if (direction === "u") return cell - this.width;
    return cell + this.width < this.cells.length ? cell + this.width : -1;
  }

  /** Which cells the player could ever reach. */
  get inside() {
    if (this.insideCache) return this.insideCache;
    const inside = new Uint8Array(this.cells.length);
    if (this.player >= 0) {
      const queue = [this.player];
      inside[this.player] = 1;
      for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
        for (const direction of DIRECTIONS) {
          const next = this.beside(cell, direction);
          if (next >= 0 && !inside[next] && !this.has(next, WALL)) {
            inside[next] = 1;
            queue.push(next);
          }
        }
      }
    }
    this.insideCache = inside;
    return inside;
  }

  get boxes() {
    const boxes = [];
    for (let cell = 0; cell < this.cells.length; cell += 1) if (this.has(cell, BOX)) boxes.push(cell);
    return boxes;
  }

  get solved() {
    const boxes = this.boxes;
    return boxes.length > 0 && boxes.every((cell) => this.has(cell, GOAL));
  }

  /** @param {number} cell @param {number} what */
  put(cell, what) {
    this.cells[cell] = (this.cells[cell] ?? 0) | what;
  }

  /** @param {number} cell @param {number} what */
  take(cell, what) {
    this.cells[cell] = (this.cells[cell] ?? 0) & ~what;
  }

  /**
   * One step; gives its letter, a capital if it pushed, or "" if it is not possible.
   * @param {Direction} direction
   */
  step(direction) {
    const to = this.beside(this.player, direction);
    this.facing = direction;
    if (to < 0 || this.has(to, WALL)) return "";
    const push = this.has(to, BOX);
    if (push) {
      const beyond = this.beside(to, direction);
      if (beyond < 0 || this.has(beyond, WALL | BOX)) return "";
      this.take(to, BOX);
      this.put(beyond, BOX);
    }
    this.take(this.player, PLAYER);
    this.put(to, PLAYER);
    this.player = to;
    return push ? direction.toUpperCase() : direction;
  }

  /**
   * Takes a step back.
   * @param {string} letter
   */
  unstep(letter) {
    const direction = /** @type {Direction} */ (letter.toLowerCase());
    const from = this.beside(this.player, OPPOSITE[direction]);
    if (letter !== direction) {
      this.take(this.beside(this.player, direction), BOX);
      this.put(this.player, BOX);
    }
    this.take(this.player, PLAYER);
    this.put(from, PLAYER);
    this.player = from;
    this.facing = direction;
  }

  /**
   * A shortest walk as letters; null where there is none.
   * @param {number} to
   * @param {number} [from]
   * @returns {string|null}
   */
  walk(to, from = this.player) {
    if (to === from) return "";
    if (this.has(to, WALL | BOX)) return null;
    /** @type {Map<number, [number, Direction]>} */
    const came = new Map([[from, [-1, "l"]]]);
    const queue = [from];
    for (let next = 0; next < queue.length; next += 1) {
      const cell = /** @type {number} */ (queue[next]);
      for (const direction of DIRECTIONS) {
        const beside = this.beside(cell, direction);
        if (beside < 0 || came.has(beside) || this.has(beside, WALL | BOX)) continue;
        came.set(beside, [cell, direction]);
        if (beside === to) {
          let letters = "";
          for (let at = to; at !== from;) {
            const [previous, letter] = /** @type {[number, Direction]} */ (came.get(at));
            letters = letter + letters;
            at = previous;
          }
          return letters;
        }
        queue.push(beside);
      }
    }
    return null;
  }

  /**
   * Moves that push a box to a cell, the other boxes staying where they are; fewest pushes. Null
   * where there is no way.
   * @param {number} box
   * @param {number} target
   * @returns {string|null}
   */
  pushTo(box, target) {
    if (box === target) return "";
    if (!this.has(box, BOX) || this.has(target, WALL | BOX)) return null;
    /** @typedef {{box: number, player: number, letters: string}} Node */
    const ground = this.clone();
    ground.take(box, BOX);
    /** @type {Node[]} */
    const queue = [{ box, player: this.player, letters: "" }];
    const seen = new Set();
    for (let next = 0; next < queue.length; next += 1) {
      const node = /** @type {Node} */ (queue[next]);
      ground.put(node.box, BOX);
      for (const direction of DIRECTIONS) {
        const to = ground.beside(node.box, direction);
        const behind = ground.beside(node.box, OPPOSITE[direction]);
        if (to < 0 || behind < 0 || ground.has(to, WALL | BOX) || ground.has(behind, WALL)) continue;
        const key = to * 4 + DIRECTIONS.indexOf(direction);
        if (seen.has(key)) continue;
        const walk = ground.walk(behind, node.player);
        if (walk === null) continue;
        seen.add(key);
        const letters = node.letters + walk + direction.toUpperCase();
        if (to === target) return letters;
        queue.push({ box: to, player: node.box, letters });
      }
      ground.take(node.box, BOX);
    }
    return null;
  }

  /** What stands on a cell, in words. @param {number} cell */
  nameOf(cell) {
    const what = this.cells[cell] ?? WALL;
    const goal = (what & GOAL) !== 0;
    if (what & WALL) return "wall";
    if (what & BOX) return goal ? "box on goal" : "box";
    if (what & PLAYER) return goal ? "player on goal" : "player";
    return goal ? "goal" : this.inside[cell] ? "floor" : "outside";
  }

  /** A row in words, runs of one kind together. @param {number} row */
  nameRow(row) {
    /** @type {string[]} */
    const parts = [];
    for (let x = 0; x < this.width;) {
      const name = this.nameOf(row * this.width + x);
      let end = x;
      while (end + 1 < this.width && this.nameOf(row * this.width + end + 1) === name) end += 1;
      parts.push(`${name} ${x === end ? x + 1 : `${x + 1} to ${end + 1}`}`);
      x = end + 1;
    }
    return parts.join(", ");
  }

  /** The board in words, for those who hear it. */
  describe() {
    const place = (/** @type {number} */ cell) =>
      `row ${Math.floor(cell / this.width) + 1}, column ${(cell % this.width) + 1}`;
    const boxes = this.boxes;
    const placed = boxes.filter((cell) => this.has(cell, GOAL)).length;
    const player = this.player >= 0 ? `Player at ${place(this.player)}. ` : "";
    return `Board of ${this.width} by ${this.height}. ${player}${boxes.length} ${boxes.length === 1 ? "box" : "boxes"}, ${placed} on ${boxes.length === 1 ? "its goal" : "goals"}.`;
  }
}

/** Only the letters of moves. @param {string} text */
export const lettersOf = (text) => text.replace(/[^lurdLURD]/g, "");
