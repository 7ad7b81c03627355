// Questions to a person at a terminal, one after the other, each until its answer will do.
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { SluiceError } from '../../model/errors.js';

/** The person ended it: Ctrl+C, Ctrl+D, or the terminal is gone. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export interface Questions {
  /**
   * The answer without blanks around it, as `accept` takes it; a SluiceError of it is told, and asked again.
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
  const answerTo = async (question: string): Promise<string> => {
    try {
      return (await Promise.race([prompt.question(question), ended])).trim();
    } catch (error) {
      const isAborted = error instanceof Error && error.name === 'AbortError';
      throw isEnded || isAborted ? new Stopped() : error;
    }
  };
  return {
    ask: async (question, accept) => {
      for (;;) {
        const answer = await answerTo(question);
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
