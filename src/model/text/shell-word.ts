// Names of others in a command that a person shall type.

const PLAIN_WORD = /^[\w./:@%+,-]+$/;

/** A text as one word of a command line. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
