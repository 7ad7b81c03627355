import { errnoOf, SluiceError } from '../model/errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than the system allows',
  EIO: 'the disk reported an error',
  EACCES: 'it is not allowed',
  EPERM: 'it is not allowed',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder, or the file it is written to, has disappeared',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

/** A `SluiceError` of code `output` for a failed system call; the table that stood there is untouched. */
export function outputProblem(path: string, cause: unknown): SluiceError {
  return new SluiceError(
    'output',
    `Writing ${path} failed: ${reasonOf(cause)}. All results are safe in the state: ` +
      'clear the cause, then write the table again with `sluice export`.',
    {},
    { cause },
  );
}

export function reasonOf(cause: unknown): string {
  const known = REASONS[errnoOf(cause) ?? ''];
  return known ?? (cause instanceof Error ? cause.message : String(cause));
}
