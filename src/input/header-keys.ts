// Unique keys for the names of one header.

/**
 * For each name its key: the trimmed name, `name_2` where it stands a second time, `column_3` where
 * it is empty. A key made up here never takes the place of a name that stands in the header.
 */
export function headerKeys(names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  const real = new Set(trimmed);
  const used = new Set<string>();
  return trimmed.map((name, index) => {
    const key =
      name !== '' && !used.has(name)
        ? name
        : freeKey(name === '' ? `column_${index + 1}` : name, name === '' ? 1 : 2, [real, used]);
    used.add(key);
    return key;
  });
}

/** `base` itself (from 1) or with the first number at its end that is in none of the sets. */
export function freeKey(
  base: string,
  from: number,
  taken: readonly { has(key: string): boolean }[],
): string {
  for (let count = from; ; count += 1) {
    const key = count === 1 ? base : `${base}_${count}`;
    if (!taken.some((set) => set.has(key))) return key;
  }
}
