// Asks a person before something that cannot be taken back; nobody is asked where there is no terminal.
import { createInterface } from 'node:readline/promises';

/** Whether the answer is yes; undefined where nobody can be asked. Anything but y or yes is no. */
export async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } catch (error) {
    // Ctrl+C or Ctrl+D there.
    if (error instanceof Error && error.name === 'AbortError') return false;
    throw error;
  } finally {
    prompt.close();
  }
}
