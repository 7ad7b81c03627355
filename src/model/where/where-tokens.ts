// The words of a `where` expression. A text is in single quotes, a column with blanks in its name in double quotes;
// everything else is bare, also `emails[type=work].value`. Curly quotes and `;` must be quoted: without quotes, they
// are typing mistakes.
import { SluiceError } from '../errors.js';

export interface WhereToken {
  readonly kind: 'word' | 'text' | 'column' | 'sign';
  readonly text: string;
  /** The offset in the expression. */
  readonly at: number;
}

const SPACE = /\s*/y;
const TOKEN =
  /'(?<text>(?:[^']|'')*)'|"(?<column>(?:[^"]|"")*)"|(?<sign>!=|<=|>=|[=<>(),])|(?<word>(?:\[[^\][\s'"]*\]|[^\s'"=<>!(),;“”„‟‘’‚‛])+)/y;
const EXAMPLE = 'It is written like: email_status = deliverable and email_domain_matches.';

export class WhereTokens {
  readonly #tokens: readonly WhereToken[];
  #next = 0;

  /** @throws SluiceError `usage` for an empty expression, or a sign that begins no token */
  constructor(readonly text: string) {
    if (text.trim() === '') {
      throw new SluiceError('usage', `where: the expression is empty. ${EXAMPLE}`, { where: text });
    }
    this.#tokens = this.#read();
  }

  #read(): WhereToken[] {
    const tokens: WhereToken[] = [];
    const end = this.text.trimEnd().length;
    let next = 0;
    while (next < end) {
      const at = next + (matchAt(SPACE, this.text, next)?.[0].length ?? 0);
      const match = matchAt(TOKEN, this.text, at);
      if (match === null) throw this.flaw(strangeness(this.text.charAt(at)), at);
      const { text, column, sign, word = '' } = match.groups ?? {};
      if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll("''", "'"), at });
      else if (column !== undefined) {
        tokens.push({ kind: 'column', text: column.replaceAll('""', '"'), at });
      } else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at });
      else tokens.push({ kind: 'word', text: word, at });
      next = at + match[0].length;
    }
    return tokens;
  }

  /** The next token, which is not taken; undefined at the end. */
  get next(): WhereToken | undefined {
    return this.#tokens[this.#next];
  }

  /** @throws SluiceError `usage` if the next token is of no such kind; `what` names it in the message */
  demand(what: string, kinds: readonly WhereToken['kind'][]): string {
    const token = this.next;
    if (token === undefined) throw this.flaw(`nothing where ${what} should be`);
    if (!kinds.includes(token.kind)) {
      const shown = token.kind === 'text' ? `the text '${token.text}'` : `"${token.text}"`;
      throw this.flaw(`${shown} where ${what} should be`);
    }
    this.#next += 1;
    return token.text;
  }

  /** Takes the next token if it is this word, in upper or lower case, or this sign. */
  take(kind: 'word' | 'sign', text: string): boolean {
    const isIt = this.next?.kind === kind && this.next.text.toLowerCase() === text;
    if (isIt) this.#next += 1;
    return isIt;
  }

  /** The error at the next token, or at `at`. */
  flaw(what: string, at = this.next?.at ?? this.text.length): SluiceError {
    const where = this.text;
    const message = `where: ${what}, at character ${at + 1} of: ${where}. ${EXAMPLE}`;
    return new SluiceError('usage', message, { where });
  }
}

function strangeness(sign: string): string {
  if (sign === "'" || sign === '"') return 'a quote that is not closed';
  if (/[“”„‟‘’‚‛]/.test(sign)) {
    return `${sign} is no quote: write ' around a text and " around the name of a column`;
  }
  return `"${sign}" means nothing here`;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text);
}
