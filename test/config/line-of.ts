/** The line of a file in which a key stands, by its last name: `a.0.b` is where `b` is. */
export function lineOf(text: string, key: string): number {
  const names = key.split('.').filter((name) => !/^\d+$/.test(name));
  return text.split('\n').findIndex((line) => line.includes(names.at(-1) ?? '')) + 1;
}
