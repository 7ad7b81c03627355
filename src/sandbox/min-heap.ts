// A binary heap: the smallest first, in logarithmic time.

export class MinHeap<T> {
  readonly #items: T[] = [];

  constructor(private readonly isBefore: (one: T, other: T) => boolean) {}

  /** The smallest; undefined when there is none. */
  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = items[parentIndex];
      if (parent === undefined || !this.isBefore(item, parent)) break;
      items[index] = parent;
      index = parentIndex;
    }
    items[index] = item;
  }

  /** Removes and returns the smallest. */
  pop(): T | undefined {
    const items = this.#items;
    const { first } = this;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let index = 0;
    for (;;) {
      const childIndex = this.#smallerChild(index);
      const child = items[childIndex];
      if (child === undefined || !this.isBefore(child, last)) break;
      items[index] = child;
      index = childIndex;
    }
    items[index] = last;
    return first;
  }

  clear(): void {
    this.#items.length = 0;
  }

  #smallerChild(index: number): number {
    const [leftIndex, rightIndex] = [2 * index + 1, 2 * index + 2];
    const [left, right] = [this.#items[leftIndex], this.#items[rightIndex]];
    const isRight = left !== undefined && right !== undefined && this.isBefore(right, left);
    return isRight ? rightIndex : leftIndex;
  }
}
