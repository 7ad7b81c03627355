// Everything that is asked of a person at a terminal: answers, one after the other, a yes or no, a secret.
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { SluiceError } from '../model/errors.js';
import { EXIT } from './exit-codes.js';

/** The person ended it: Ctrl+C, Ctrl+D, or the terminal is gone. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export interface Questions {
  /**
   * The answer as it was typed.
   * @throws Stopped
   */
  read(question: string): Promise<string>;
  /**
   * The answer without blanks around it, as `accept` takes it. A SluiceError of `accept` is shown, and the question
   * is asked again.
   * @throws Stopped
   */
  ask<T>(question: string, accept: (answer: string) => T | Promise<T>): Promise<T>;
  /** Idempotent. */
  close(): void;
}

export function openQuestions(input: Readable, output: Writable): Questions {
  const prompt = createInterface({ input, output, terminal: true });
  // Without this, a terminal that goes away would leave the question open for ever.
  let isEnded = false;
  const ended = new Promise<never>((_, reject) => {
    prompt.once('close', () => {
      isEnded = true;
      reject(new Stopped());
    });
  });
  ended.catch(() => undefined);
  const read = async (question: string): Promise<string> => {
    try {
      return await Promise.race([prompt.question(question), ended]);
    } catch (error) {
      const isAborted = error instanceof Error && error.name === 'AbortError';
      throw isEnded || isAborted ? new Stopped() : error;
    }
  };
  return {
    read,
    ask: async (question, accept) => {
      for (;;) {
        const answer = (await read(question)).trim();
        try {
          return await accept(answer);
        } catch (error) {
          if (!(error instanceof SluiceError)) throw error;
          output.write(`${error.message}\n`);
        }
      }
    },
    close: () => prompt.close(),
  };
}

/**
 * Takes the answer to a question, or what is usual where the answer is empty or the command does not ask.
 * @throws whatever `accept` throws where nothing can be asked again
 */
export type Answer = <T>(
  question: string,
  usual: string,
  accept: (text: string) => T | Promise<T>,
) => Promise<T>;

/** What answers questions: a person, or what is usual. */
export interface Asker {
  readonly answer: Answer;
  /** Whether a person is there, and wants to be asked. */
  readonly canAsk: boolean;
}

/** A person who stops ends the command with exit code 130; `work` must not have written anything before its last answer. */
export async function withAsker(
  isAsUsual: boolean,
  work: (asker: Asker) => Promise<void>,
): Promise<void> {
  if (isAsUsual) {
    return work({ answer: async (_, usual, accept) => accept(usual), canAsk: false });
  }
  // Opened by the first question: where the flags say everything, no terminal is needed.
  let questions: Questions | undefined;
  const answer: Answer = (question, usual, accept) => {
    if (!process.stdin.isTTY) throw noTerminal(question);
    questions ??= openQuestions(process.stdin, process.stderr);
    const shown = usual === '' ? question : `${question} [${usual}]`;
    return questions.ask(`${shown}${shown.endsWith('?') ? '' : ':'} `, (text) =>
      accept(text === '' ? usual : text),
    );
  };
  try {
    await work({ answer, canAsk: process.stdin.isTTY });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stderr.write('\nStopped, and nothing was written.\n');
    process.exitCode = EXIT.interrupted;
  } finally {
    questions?.close();
  }
}

function noTerminal(question: string): SluiceError {
  return new SluiceError(
    'usage',
    `A question cannot be asked here, for this is not a terminal: "${question}". Give --yes to take what is usual, or say it by flags; "sluice init --help" lists them.`,
  );
}

/** Whether the answer is yes; undefined without a terminal. Anything but y or yes is no. */
export async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const questions = openQuestions(process.stdin, process.stderr);
  try {
    return await questions.ask(`${question} [y/N] `, (text) => /^y(es)?$/i.test(text));
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
  } finally {
    questions.close();
  }
}

/**
 * What was typed, which is not shown; undefined without a terminal, and where nothing was typed. Ctrl+C or Ctrl+D
 * ends the process.
 */
export async function promptSecret(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  process.stderr.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const questions = openQuestions(process.stdin, silence);
  try {
    const typed = await questions.read('');
    return typed === '' ? undefined : typed;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stderr.write('\n');
    process.exit(EXIT.interrupted);
  } finally {
    questions.close();
    process.stderr.write('\n');
  }
}
