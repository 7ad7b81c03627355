// Sends deliveries: a bounded number at a time, and failed ones again after growing delays.
import pLimit from 'p-limit';
import { Agent } from 'undici';
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
  readonly #limit = pLimit(POSTS_MAX);
  #isClosed = false;

  constructor(private readonly options: DeliverySenderOptions) {}

  /** Due deliveries stay on the agenda while there is none. */
  get hasRoom(): boolean {
    return this.#limit.activeCount + this.#limit.pendingCount < POSTS_MAX;
  }

  /** Resolves after one attempt, also a failed one. */
  async send(delivery: Delivery): Promise<void> {
    await this.#limit(() => this.#attempt(delivery));
    this.options.onRoom();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { poster, book, write } = this.options;
    if (this.#isClosed) return;
    const { target, entries } = delivery;
    // A client that deletes a hook does not want its deliveries.
    if (target.hook?.isDeleted === true) return;
    delivery.attempts += 1;
    book.attempts += 1;
    for (const { subject } of entries) subject.deliveries += 1;
    const status = await poster.post(target.url, write(delivery));
    // A POST that the end of the sandbox broke off is not a failure of the target.
    if (this.#isClosed && status === 0) return;
    this.#settle(delivery, status >= 200 && status < 300);
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
  readonly #agent = new Agent();

  constructor(private readonly timeoutMs: number) {}

  /**
   * Over a connection of its own; follows no redirect. Resolves with the status, 0 if none came in time; never rejects.
   */
  async post(url: string, body: string): Promise<number> {
    const { origin, pathname, search } = new URL(url);
    try {
      const answer = await this.#agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: HEADERS,
        body,
        reset: true,
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      // Only the status counts.
      answer.body.dump().catch(() => undefined);
      return answer.statusCode;
    } catch {
      return 0;
    }
  }

  close(): void {
    void this.#agent.destroy();
  }
}
