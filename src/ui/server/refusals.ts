import { type ErrorCode, SluiceError } from '../../model/errors.js';

/** Thrown by the hooks and the handlers of the server. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = { usage: 400, input: 400, busy: 409 };

export function refusalOf(error: Error & { code?: string; statusCode?: number }): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof SluiceError) {
    return new Refusal(STATUS[error.code] ?? 503, 'Not done', error.message);
  }
  if (error.statusCode === 413) return TOO_LARGE;
  return error.code?.startsWith('FST_') === true ? OLD_PAGE : BUG;
}

export const BUG = new Refusal(
  500,
  'Something went wrong',
  'Sluice has a bug here: the terminal in which it runs says more.',
);
export const TWO_HOSTS = new Refusal(
  400,
  'Under two names',
  'The request has two headers Host. Nothing was done.',
);
export const FOREIGN_PAGE = new Refusal(
  403,
  'Not from this page',
  'Another page has sent this. Nothing was done.',
);
export const NO_SUCH_PAGE = new Refusal(404, 'No such page', 'There is nothing at this address.');
export const NO_SUCH_LINK = new Refusal(
  403,
  'This link was used',
  'A link opens the pages once. The terminal in which "sluice ui" runs shows the next one.',
);
export const NO_SESSION = new Refusal(
  401,
  'Open the link',
  'The pages open by the link that "sluice ui" prints when it starts. After a restart it prints a new one; open pages go on once it was opened.',
);
export const READ_ONLY = new Refusal(
  403,
  'Only for reading',
  'Nothing was done: "sluice ui" was started with --read-only.',
);
export const OLD_PAGE = new Refusal(
  403,
  'Load the page again',
  'Nothing was done: the page that sent this is from before. Load it again.',
);
const TOO_LARGE = new Refusal(
  413,
  'Too large',
  'Nothing was done: what was sent is larger than this page takes.',
);

export function foreignHost(own: string): Refusal {
  return new Refusal(
    403,
    'Not under this name',
    `These pages are at ${own}. If you reach them under another name, as through a proxy or a tunnel, say so with --public-url.`,
  );
}
