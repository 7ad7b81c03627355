// Asks a person for a secret without showing it; asks nobody where there is no terminal.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT } from '../exit-codes.js';

/** Undefined where nobody can be asked, or nothing was typed. Ctrl+C or Ctrl+D there ends the process. */
export async function promptSecret(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  process.stderr.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silence, terminal: true });
  try {
    const typed = await prompt.question('');
    return typed === '' ? undefined : typed;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    process.exit(EXIT.interrupted);
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
