// Where the answers to questions come from: a person at a terminal, or what is usual.
import { SluiceError } from '../../model/errors.js';
import { EXIT } from '../exit-codes.js';
import type { Answer, Asker } from './init-job.js';
import { openQuestions, type Questions, Stopped } from './open-questions.js';

const AS_USUAL: Answer = async (_, usual, accept) => accept(usual);

/** Somebody who stops ends the command with exit code 130, and `work` has to have written nothing by then. */
export async function answersOf(
  isAsUsual: boolean,
  work: (asker: Asker) => Promise<void>,
): Promise<void> {
  if (isAsUsual) return work({ answer: AS_USUAL, canAsk: false });
  // Opened by the first question: where the flags say everything, no terminal is needed.
  let questions: Questions | undefined;
  const answer: Answer = (question, usual, accept) => {
    if (!process.stdin.isTTY) throw nobodyThere(question);
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

function nobodyThere(question: string): SluiceError {
  return new SluiceError(
    'usage',
    `Nobody can be asked here, for this is no terminal: "${question}". Give --yes to take what is usual, or say it by flags; "sluice init --help" lists them.`,
  );
}
