// How many moments lie in the window that ends now. A ring that grows only as far as one window is full,
// shared by the limit and by the measurement of the worst window, so that both mean the same by "window".

/** Counts moments in the half-open window `(at - perMs, at]`; moments must come in order. */
export class SlidingCount {
  #ring = new Float64Array(32);
  #head = 0;
  #length = 0;

  constructor(private readonly perMs: number) {}

  /** How many moments are still in the window at `at`; forgets the others. */
  countAt(at: number): number {
    while (this.#length > 0 && at >= this.oldest + this.perMs) {
      this.#head = (this.#head + 1) % this.#ring.length;
      this.#length -= 1;
    }
    return this.#length;
  }

  add(at: number): void {
    if (this.#length === this.#ring.length) this.#grow();
    this.#ring[(this.#head + this.#length) % this.#ring.length] = at;
    this.#length += 1;
  }

  /** The oldest moment not yet forgotten; NaN when there is none. */
  get oldest(): number {
    return this.#length === 0 ? Number.NaN : (this.#ring[this.#head] ?? Number.NaN);
  }

  #grow(): void {
    const larger = new Float64Array(this.#ring.length * 2);
    larger.set(this.#ring.subarray(this.#head));
    larger.set(this.#ring.subarray(0, this.#head), this.#ring.length - this.#head);
    this.#ring = larger;
    this.#head = 0;
  }
}
