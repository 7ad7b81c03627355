// Questions to a person at a terminal: a series of them, a yes or no, a secret.
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { SluiceError, wrongUse } from '../model/errors.js';
import { EXIT } from './exit-codes.js';

/** The person stopped the questions: with Ctrl+C or Ctrl+D, or the terminal is gone. */
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
   * The trimmed answer, as `accept` returns it. If `accept` throws a SluiceError, it is shown and the question is asked
   * again.
   * @throws Stopped
   */
  ask<T>(question: string, accept: (answer: string) => T | Promise<T>): Promise<T>;
  /** Idempotent. */
  close(): void;
}

export function openQuestions(input: Readable, output: Writable): Questions {
  const prompt = createInterface({ input, output, terminal: true });
  // Otherwise, if the terminal goes away, the question would stay open for ever.
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
 * Asks a question; an empty answer means `usual`, as does a command that does not ask.
 * @throws the error of `accept` if the question cannot be asked again
 */
export type Answer = <T>(
  question: string,
  usual: string,
  accept: (text: string) => T | Promise<T>,
) => Promise<T>;

/** Answers questions, as a person does or with the usual answers. */
export interface Asker {
  readonly answer: Answer;
  /** Whether a person can be asked, and wants to be. */
  readonly canAsk: boolean;
}

/**
 * A person who stops ends the command with exit code 130; `work` must not have written anything before its last answer.
 */
export async function withAsker(
  isAsUsual: boolean,
  work: (asker: Asker) => Promise<void>,
): Promise<void> {
  if (isAsUsual) {
    return work({ answer: async (_, usual, accept) => accept(usual), canAsk: false });
  }
  // Opened by the first question: if the flags answer every question, no terminal is needed.
  let questions: Questions | undefined;
  const answer: Answer = (question, usual, accept) => {
    if (!process.stdin.isTTY) {
      throw wrongUse(
        `A question cannot be asked here, because this is not a terminal: "${question}". Give --yes to take the usual answers, or answer with flags; "sluice init --help" lists them.`,
      );
    }
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

/** Whether the answer is yes; undefined without a terminal. Any answer but y or yes means no. */
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

/** The same; without a terminal it is refused. @throws SluiceError `usage` with that sentence, which names --yes */
export async function demandYes(question: string, refusal: string): Promise<boolean> {
  const isSure = await confirm(question);
  if (isSure === undefined) throw wrongUse(refusal);
  return isSure;
}

/**
 * The typed text, which is not shown; undefined without a terminal or without text. Ctrl+C or Ctrl+D ends the process.
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
