// Turns what the operating system says about a file into one sentence with a way out.
import { SluiceError } from '../../model/errors.js';

/** The `input` error for a file that could not be found, opened or read. */
export function describeFileError(path: string, cause: unknown): SluiceError {
  const code = errorCodeOf(cause);
  return new SluiceError('input', sentenceFor(path, code), { path, reason: code }, { cause });
}

function sentenceFor(path: string, code: string): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no input file ${path}; check its name and the folder you start from.`;
    case 'EISDIR':
      return `The input ${path} is a folder; name a file in it, or a pattern such as ${path}/*.csv.`;
    case 'EACCES':
    case 'EPERM':
      return `The input file ${path} may not be read by this user; change its permissions or copy it.`;
    default:
      return `The input file ${path} could not be read (${code}); check the disk and try again.`;
  }
}

function errorCodeOf(cause: unknown): string {
  const hasCode = typeof cause === 'object' && cause !== null && 'code' in cause;
  return hasCode ? String(cause.code) : 'unknown error';
}
