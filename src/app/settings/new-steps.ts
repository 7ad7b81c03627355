// The steps of a new waterfall: a platform in turn is named by its dialect, or by a name of its own, and its address.
import type { StatedStep } from '../../config/job-keys/waterfall.js';
import { loadDialect, readyMadeDialects } from '../../config/load-dialect.js';
import { offeredAsks } from '../../dialect/forms.js';
import type { Ask } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { checkBaseUrl } from './new-job.js';

/** The file of accounts that a new waterfall names. */
export const ACCOUNTS_FILE = 'accounts.yaml';

/**
 * Reads `NAME=URL` texts; a step whose platform does nothing but verify addresses verifies.
 * @throws SluiceError `usage` for a text that is none, and for an unusable address
 */
export async function readNewSteps(texts: readonly string[]) {
  const steps: StatedStep[] = [];
  const offered = new Set<Ask>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const [name, url] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
    if (name === '' || url === '') {
      throw new SluiceError(
        'usage',
        `--step: "${text}" is no step. Write NAME=URL, like prospeo=https://api.example; the name of a ready-made dialect is its dialect.`,
      );
    }
    checkBaseUrl(url);
    const dialect = readyMadeDialects().includes(name) ? name : undefined;
    const asks = offeredAsks(await loadDialect(dialect));
    const verifies = asks.every((one) => one === 'verify_email');
    for (const one of verifies ? [] : asks) if (one !== 'verify_email') offered.add(one);
    steps.push({
      name,
      url,
      ...(dialect !== undefined && { dialect }),
      account: name,
      ...(verifies && { verifies: 'find_email' as const }),
    });
  }
  return { steps, offered: [...offered] };
}
