// Text for a page. Text from outside is escaped unless it is markup already, so that a page cannot forget to.

/** Only `html` makes it. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  static of(pieces: readonly string[], values: readonly Content[]): Markup {
    return new Markup(pieces.reduce((text, piece, n) => text + written(values[n - 1]) + piece));
  }
}

/** The content of a page: text is escaped, lists are written item by item, and empty values give nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/** A piece of HTML or SVG. An attribute's value always stands in double quotes. */
export function html(pieces: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return Markup.of(pieces, values);
}

function written(content: Content): string {
  if (content === null || content === undefined || content === false) return '';
  if (typeof content === 'number') return String(content);
  if (typeof content === 'string')
    return content.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '');
  if (content instanceof Markup) return content.toString();
  return content.map(written).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
