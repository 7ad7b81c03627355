// Sends deliveries: a bounded number at a time, and failed ones again after growing delays.

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Delivery } from './delivery.js';
import type { DeliveryBook } from './delivery-book.js';

/** The number of POSTs under way at any moment, for all targets together. */
const POSTS_MAX = 64;
/** One delivery and its five repeats. */
const ATTEMPTS_MAX = 6;
const DELAY_GROWTH = 3;

interface DeliverySenderOptions {
  readonly poster: Poster;
  readonly book: DeliveryBook;
  /** The wait before the first repeat; each further one waits three times as long. */
  readonly retryMs: number;
  readonly write: (delivery: Delivery) => string;
  /** Must call `send` with the delivery again after this time. */
  readonly sendLater: (delivery: Delivery, delayMs: number) => void;
  /** Called when an attempt has ended, so that there is room for another. */
  readonly onRoom: () => void;
}

export class DeliverySender {
  /** Waiting deliveries. There are only a few: due deliveries stay on the agenda while there is no room. */
  readonly #waiting: { delivery: Delivery; begin: () => void }[] = [];
  #underWay = 0;
  #isClosed = false;

  constructor(private readonly options: DeliverySenderOptions) {}

  get hasRoom(): boolean {
    return this.#underWay < POSTS_MAX && this.#waiting.length === 0;
  }

  /** Resolves after one attempt, also a failed one; an `isUrgent` delivery goes before those that wait for room. */
  send(delivery: Delivery, isUrgent = false): Promise<void> {
    if (this.#underWay < POSTS_MAX) return this.#attempt(delivery);
    return new Promise((resolve) => {
      const begin = (): void => resolve(this.#attempt(delivery));
      if (isUrgent) this.#waiting.unshift({ delivery, begin });
      else this.#waiting.push({ delivery, begin });
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const { begin } of this.#waiting.splice(0)) begin();
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { poster, book, write, onRoom } = this.options;
    if (this.#isClosed) return;
    const { target, entries } = delivery;
    // A client that deletes a hook does not want its deliveries.
    if (target.hook?.isDeleted === true) return;
    this.#underWay += 1;
    delivery.attempts += 1;
    book.attempts += 1;
    for (const { subject } of entries) subject.deliveries += 1;
    const status = await poster.post(target.url, write(delivery));
    this.#underWay -= 1;
    // A POST that the end of the sandbox broke off is not a failure of the target.
    if (this.#isClosed && status === 0) return;
    this.#settle(delivery, status >= 200 && status < 300);
    this.#waiting.shift()?.begin();
    onRoom();
  }

  #settle(delivery: Delivery, isDelivered: boolean): void {
    const { book, retryMs, sendLater } = this.options;
    const { target, entries, attempts } = delivery;
    if (!isDelivered && attempts < ATTEMPTS_MAX) {
      sendLater(delivery, retryMs * DELAY_GROWTH ** (attempts - 1));
      return;
    }
    const ids = entries.map(({ subject }) => subject.id);
    book.note(isDelivered ? 'delivered' : 'given-up', ids, target.hook?.id);
    if (!isDelivered) return;
    book.delivered += 1;
    const doubled = entries.filter((entry) => entry.isDoubled);
    if (doubled.length === 0) return;
    const again = doubled.map((entry) => ({ ...entry, isDoubled: false, isEmpty: undefined }));
    sendLater({ target, entries: again, attempts: 0 }, 0);
  }
}

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sluice-sandbox' };

export class Poster {
  readonly #closing = new AbortController();

  constructor(private readonly timeoutMs: number) {}

  /**
   * Over a connection of its own; follows no redirect. Resolves with the status, 0 if none came in time; never rejects.
   */
  post(url: string, body: string): Promise<number> {
    const target = new URL(url);
    const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.timeoutMs)]);
    const options = { method: 'POST', headers: HEADERS, agent: false, signal } as const;
    return new Promise((resolve) => {
      const sent = request(target, options, (answer) => {
        // Only the status counts.
        answer.on('error', () => undefined).resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  }

  close(): void {
    this.#closing.abort();
  }
}
