// Unique keys for the names of one header.

/**
 * For each name its key: the trimmed name, `name_2` where it stands a second time, `column_3` where
 * it is empty. A key made up here never takes the place of a name that stands in the header.
 */
export function headerKeys(names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  const real = new Set(trimmed);
  const used = new Set<string>();
  const next = new Map<string, number>();
  return trimmed.map((name, index) => {
    const base = name === '' ? `column_${index + 1}` : name;
    const isOwn = name !== '' && !used.has(name);
    const key = isOwn ? name : freeKey(base, name === '' ? 1 : 2, [real, used], next);
    used.add(key);
    return key;
  });
}

/**
 * `base` itself (from 1) or with the first number at its end that is in none of the sets. `next` remembers for
 * each base where the search goes on: the numbers before it are taken, and stay so.
 */
export function freeKey(
  base: string,
  from: number,
  taken: readonly { has(key: string): boolean }[],
  next: Map<string, number>,
): string {
  for (let count = next.get(base) ?? from; ; count += 1) {
    const key = count === 1 ? base : `${base}_${count}`;
    if (taken.some((set) => set.has(key))) continue;
    next.set(base, count + 1);
    return key;
  }
}
