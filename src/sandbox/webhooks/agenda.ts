// Things to do later, in order of time: one queue and one timer for any number of them.
import TinyQueue from 'tinyqueue';

/** The agenda notices within this time that a clock was set by hand, or that the machine slept. */
const LOOK_MS_MAX = 250;
/** The number of things done in one turn of the event loop; requests get a turn in between. */
const TURN_MAX = 200;

interface Item<T> {
  readonly at: number;
  /** Things due at the same time are done in the order in which they came. */
  readonly order: number;
  readonly thing: T;
}

interface AgendaOptions<T> {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** While it is false, nothing is performed; call `look` when it is true again. */
  readonly hasRoom: () => boolean;
  readonly perform: (thing: T) => void;
}

/** An agenda. It keeps no process alive, has no timer while it is empty, and never performs within `add`. */
export class Agenda<T> {
  readonly #queue = new TinyQueue<Item<T>>([], compare);
  #order = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(private readonly options: AgendaOptions<T>) {}

  /** Adds a thing at `at`, in milliseconds since the Unix epoch; a past time means at once. */
  add(at: number, thing: T): void {
    if (this.#isClosed) return;
    this.#order += 1;
    this.#queue.push({ at, order: this.#order, thing });
    if (at < this.#timerAt) this.#arm();
  }

  look(): void {
    const { now, hasRoom, perform } = this.options;
    for (let count = 0; count < TURN_MAX && !this.#isClosed && hasRoom(); count += 1) {
      const first = this.#queue.peek();
      if (first === undefined || first.at > now()) break;
      this.#queue.pop();
      perform(first.thing);
    }
    this.#arm();
  }

  close(): void {
    this.#isClosed = true;
    while (this.#queue.length > 0) this.#queue.pop();
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const first = this.#queue.peek();
    if (first === undefined || !this.options.hasRoom()) return;
    const waitMs = Math.min(Math.max(first.at - this.options.now(), 0), LOOK_MS_MAX);
    this.#timerAt = first.at;
    this.#timer = setTimeout(() => this.look(), waitMs).unref();
  }
}

function compare<T>(one: Item<T>, other: Item<T>): number {
  return one.at - other.at || one.order - other.order;
}
