// The last answers of a function about hosts: a file names a company in many of its lines.

/** No host name is longer (RFC 1035, section 2.3.4). Longer texts are mistakes, and would fill the memory. */
const KEPT_LENGTH_MAX = 255;

/**
 * The function with its answers kept. They are all forgotten when there are more than `most`: that is as good as to
 * forget the oldest in a list that is read once from its beginning to its end.
 */
export function remembering<Answer>(
  answer: (host: string) => Answer,
  most = 10_000,
): (host: string) => Answer {
  const known = new Map<string, { readonly answer: Answer }>();
  return (host) => {
    const kept = known.get(host);
    if (kept !== undefined) return kept.answer;
    const found = answer(host);
    if (host.length > KEPT_LENGTH_MAX) return found;
    if (known.size >= most) known.clear();
    known.set(host, { answer: found });
    return found;
  };
}
