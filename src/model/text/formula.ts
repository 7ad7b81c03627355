// The two formulas whose value is read without evaluating anything: a text, and a link.

const TEXT = /^="((?:[^"]|"")*)"$/;
const LINK = /^=HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?\)$/i;

/** Target and text of `=HYPERLINK("https://acme.com","Acme")`. */
export function linkOfFormula(text: string): { target: string; shown: string } | undefined {
  const [, target, shown = target] = LINK.exec(text) ?? [];
  return target === undefined
    ? undefined
    : { target: unquoted(target), shown: unquoted(shown ?? '') };
}

/** The text that a spreadsheet shows for `="Ada"` and for a link, as Sluice and others write them into CSV. */
export function shownText(text: string): string {
  if (!text.startsWith('=')) return text;
  const [, quoted] = TEXT.exec(text) ?? [];
  return quoted === undefined ? (linkOfFormula(text)?.shown ?? text) : unquoted(quoted);
}

function unquoted(text: string): string {
  return text.replaceAll('""', '"');
}
