// Lines of a table that were not used: how many, and the first few with the reason.
export interface BadLines {
  readonly count: number;
  readonly first: readonly { readonly place: string; readonly reason: string }[];
}

const SHOWN_MAX = 5;

export class BadLineCounter implements BadLines {
  count = 0;
  readonly first: { place: string; reason: string }[] = [];

  add(place: string, reason: string): void {
    this.count += 1;
    if (this.first.length < SHOWN_MAX) this.first.push({ place, reason });
  }
}
