// `--last N`: how many of a list that may be long.
import { SluiceError } from '../../model/errors.js';

/** @throws SluiceError `usage` for anything but a whole number from 1 on */
export function checkLast(last: number, what: string): void {
  if (Number.isSafeInteger(last) && last >= 1) return;
  throw new SluiceError('usage', `--last: a whole number from 1 on says how many ${what}.`, {
    flag: 'last',
  });
}
