// The reasons for which a request is not answered, each with its status and the words of its page.
import { type ErrorCode, SluiceError } from '../../model/errors.js';

export interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
}

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = { usage: 400, input: 400, busy: 409 };

/** The beginning of a message about a run, a line or a job that is not there. */
const MISSING = /^There is no /;

export function refusalOf(error: unknown): Refusal {
  if (error instanceof SluiceError) {
    const title = MISSING.test(error.message) ? 'Not found' : 'Not done';
    return { status: STATUS[error.code] ?? 503, title, sentence: error.message };
  }
  const sentence = 'Sluice has a bug here: the terminal in which it runs says more.';
  return { status: 500, title: 'Something went wrong', sentence };
}

export const NO_SUCH_METHOD: Refusal = {
  status: 405,
  title: 'Not like this',
  sentence: 'Pages are read with GET, and forms are sent with POST.',
};
export const NO_SUCH_PAGE: Refusal = {
  status: 404,
  title: 'No such page',
  sentence: 'There is nothing at this address.',
};
export const NO_SUCH_LINK: Refusal = {
  status: 403,
  title: 'This link was used',
  sentence:
    'A link opens the pages once. The terminal in which "sluice ui" runs shows the next one.',
};
export const NO_SESSION: Refusal = {
  status: 401,
  title: 'Open the link',
  sentence:
    'The pages open by the link that "sluice ui" prints when it starts. After a restart it prints a new one; open pages go on once it was opened.',
};
export const NO_LONGER_SIGNED_IN: Refusal = {
  status: 401,
  title: 'Sign in again',
  sentence: 'Nothing was done, since you are not signed in any more. Sign in again.',
};
export const READ_ONLY: Refusal = {
  status: 403,
  title: 'Only for reading',
  sentence: 'Nothing was done: "sluice ui" was started with --read-only.',
};
export const OLD_PAGE: Refusal = {
  status: 403,
  title: 'Load the page again',
  sentence: 'Nothing was done: the page that sent this is from before. Load it again.',
};
export const TOO_LARGE: Refusal = {
  status: 413,
  title: 'Too large',
  sentence: 'Nothing was done: what was sent is larger than this page takes.',
};
export const TOO_MANY_PAGES: Refusal = {
  status: 503,
  title: 'Too many pages',
  sentence: 'Too many pages are kept up to date at a time. Close some.',
};
