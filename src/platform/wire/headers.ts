// The headers of an answer, by name.
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}
