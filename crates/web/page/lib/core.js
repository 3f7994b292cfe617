// Values that tell who reads them. What reads a value runs anew when it changes, once for all changes that came together;
// what it had made before (effects, listeners, answers on their way) ends first. So nothing has to be kept in step by hand.

/** What runs now: told of every value that is read, and the owner of what is made. @type {Reading|null} */
let running = null;

/** @template T */
class Value {
  /** @param {T} first */
  constructor(first) {
    this.now = first;
    this.version = 0;
    /** @type {Set<Reading>} */
    this.readers = new Set();
  }

  get value() {
    if (running && !running.sources.has(this)) {
      running.sources.set(this, this.version);
      this.readers.add(running);
    }
    return this.now;
  }

  set value(next) {
    if (Object.is(next, this.now)) return;
    this.now = next;
    this.touch();
  }

  /** What it holds was changed in place. */
  touch() {
    this.version += 1;
    for (const reader of [...this.readers]) reader.stale();
  }

  /** Brings itself up to date. */
  refresh() {}
}

/** What reads values, and owns what it makes. */
class Reading {
  constructor() {
    /** @type {Map<Value<any>, number>} What was read, in which version. */
    this.sources = new Map();
    /** @type {(() => void)[]} */
    this.ends = [];
    running?.ends.push(() => this.end());
  }

  /** @template T @param {() => T} what @returns {T} */
  run(what) {
    this.end();
    return within(this, what);
  }

  get changed() {
    for (const [source, version] of this.sources) {
      source.refresh();
      if (source.version !== version) return true;
    }
    return false;
  }

  stale() {}

  end() {
    for (const source of this.sources.keys()) source.readers.delete(this);
    this.sources.clear();
    for (const end of this.ends.splice(0)) end();
  }
}

/** @template T @param {Reading|null} reading @param {() => T} what @returns {T} */
function within(reading, what) {
  const outer = running;
  running = reading;
  try {
    return what();
  } finally {
    running = outer;
  }
}

/** @type {Set<Effect>} Effects that have to look whether they run anew. */
const waiting = new Set();
let effects = 0;

class Effect extends Reading {
  /** @param {() => void} what */
  constructor(what) {
    super();
    this.what = what;
    effects += 1;
    this.number = effects;
    this.run(what);
  }

  stale() {
    if (!waiting.size) queueMicrotask(settle);
    waiting.add(this);
  }

  end() {
    waiting.delete(this);
    super.end();
  }
}

/** Runs what waits: an owner, which is older, before what it owns, which ends if the owner runs. */
export function settle() {
  while (waiting.size) {
    for (const effect of [...waiting].sort((one, other) => one.number - other.number)) {
      if (!waiting.delete(effect) || !effect.changed) continue;
      try {
        effect.run(effect.what);
      } catch (error) {
        reportError(error);
      }
    }
  }
}

/** @template T @extends {Value<T>} */
class Derived extends Value {
  /** @param {() => T} what */
  constructor(what) {
    super(/** @type {any} */ (undefined));
    this.what = what;
    this.isStale = true;
    this.reading = new Reading();
    this.reading.stale = () => {
      if (this.isStale) return;
      this.isStale = true;
      for (const reader of [...this.readers]) reader.stale();
    };
  }

  get value() {
    this.refresh();
    return super.value;
  }

  refresh() {
    if (!this.isStale) return;
    if (!this.version || this.reading.changed) {
      const next = this.reading.run(this.what);
      if (!this.version || !Object.is(next, this.now)) this.version += 1;
      this.now = next;
    }
    this.isStale = false;
  }
}

/** @template T @typedef {Value<T>} Told */

/** @template T @param {T} first @returns {Value<T>} */
export const value = (first) => new Value(first);

/** A value that follows from others. @template T @param {() => T} what @returns {Readonly<Value<T>>} */
export const derived = (what) => new Derived(what);

/** Does something now, and again whenever a value it read has changed. @param {() => void} what */
export const effect = (what) => void new Effect(what);

/** Whether what is read now is told of changes. */
export const isReading = () => running !== null;

/** Reads values without being run anew for them. @template T @param {() => T} what @returns {T} */
export const untold = (what) => within(null, what);

/** What is done when that what runs now ends or runs anew. @param {() => void} end */
export const ending = (end) => void running?.ends.push(end);

/** Makes something that lives on by itself until it is ended. @template T @param {() => T} make @returns {[T, () => void]} */
export function scope(make) {
  const owner = within(null, () => new Reading());
  return [owner.run(make), () => owner.end()];
}

/**
 * The guard against late answers. Each call begins a question and gives a function to wait with: what is waited for by it
 * comes back only while no later question was begun and its owner has not ended; else whoever waits never goes on.
 * @typedef {{<T>(promise: Promise<T>|T): Promise<T>, isLate: () => boolean}} Wait
 * @returns {() => Wait}
 */
export function latest() {
  let begun = 0;
  ending(() => (begun += 1));
  return () => {
    begun += 1;
    const mine = begun;
    const isLate = () => mine !== begun;
    /** @template T @param {Promise<T>|T} promise @returns {Promise<T>} */
    const wait = (promise) =>
      new Promise((resolve, reject) => {
        Promise.resolve(promise).then(
          (answer) => isLate() || resolve(answer),
          (error) => isLate() || reject(error),
        );
      });
    return Object.assign(wait, { isLate });
  };
}

/**
 * What a question came to: `answer` is undefined until it is there. It is asked anew when a value it reads before it waits
 * has changed; what the last question came to stays until the new one is answered, unless `fresh` says to forget it.
 * @template T
 * @param {() => Promise<T>|null} ask null where there is nothing to ask
 * @param {{fresh?: boolean}} [options]
 */
export function answerOf(ask, { fresh = false } = {}) {
  const state = value(/** @type {{answer?: T, error?: unknown, waiting: boolean}} */ ({ waiting: false }));
  const begin = latest();
  effect(() => {
    const wait = begin();
    const question = ask();
    state.value = {
      answer: question && !fresh ? untold(() => state.now.answer) : undefined,
      waiting: question !== null,
    };
    if (question)
      wait(question).then(
        (answer) => (state.value = { answer, waiting: false }),
        (error) => (state.value = { error, waiting: false }),
      );
  });
  return state;
}
