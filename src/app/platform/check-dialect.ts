// Checks a dialect: the file by itself, and, where an address is named, every call that costs nothing.
import { loadDialect } from '../../config/load-dialect.js';
import { type CallCheck, untriedCalls } from '../../model/platform/check.js';
import type { Environment } from '../environment.js';
import { askPlatform, type PlatformWish } from './ask-platform.js';

/** SLUICE_URL does not count: a check of a file sends nothing unless it is told to. */
export interface DialectWish extends Omit<PlatformWish, 'dialect'> {
  readonly file: string;
}

/**
 * What was tried, in order, and then what was not; null where no address is named and nothing was sent.
 * @throws SluiceError `usage` for a file that is no dialect, `platform` where nothing can be learnt of it
 */
export async function checkDialect(
  { file, ...wish }: DialectWish,
  environment: Environment,
): Promise<readonly CallCheck[] | null> {
  if (wish.url === undefined) {
    await loadDialect(file);
    return null;
  }
  return askPlatform({ ...wish, dialect: file }, environment, async ({ platform, dialect }) => [
    ...(await platform.tryFreeCalls()),
    ...untriedCalls(dialect),
  ]);
}
