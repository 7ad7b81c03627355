// The words of a `where` expression. A text stands in single quotes, a column with blanks in its name in
// double ones; everything else stands as it is. Curly quotes and `;` are always quoted: bare, they are slips.

export type WhereToken =
  | { readonly kind: 'word' | 'text' | 'column'; readonly text: string; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number };

const SPACE = /\s*/y;
const TOKEN =
  /'(?<text>(?:[^']|'')*)'|"(?<column>(?:[^"]|"")*)"|(?<sign>!=|<=|>=|[=<>(),])|(?<word>[^\s'"=<>!(),;“”„‟‘’‚‛]+)/y;

/** The tokens in order, or the offset of the first character that begins none. */
export function readTokens(text: string): readonly WhereToken[] | { readonly failedAt: number } {
  const tokens: WhereToken[] = [];
  const end = text.trimEnd().length;
  let next = 0;
  while (next < end) {
    const at = next + (matchAt(SPACE, text, next)?.[0].length ?? 0);
    const match = matchAt(TOKEN, text, at);
    if (match === null) return { failedAt: at };
    const { text: quoted, column, sign, word } = match.groups ?? {};
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll("''", "'"), at });
    else if (column !== undefined) {
      tokens.push({ kind: 'column', text: column.replaceAll('""', '"'), at });
    } else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at });
    else tokens.push({ kind: 'word', text: word ?? '', at });
    next = at + match[0].length;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text);
}
