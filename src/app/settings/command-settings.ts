import { DEFAULTS } from '../../config/defaults.js';
import { wrongUse } from '../../model/errors.js';
import { parseRate, type Rate } from '../../model/schedule/rate.js';
import { checkState } from '../../store/open-store.js';
import type { Environment } from './environment.js';

/** @throws SluiceError `usage` for the address of a database that has a password or cannot be read */
export function stateOf(stated: string | undefined, environment: Environment): string {
  const state = stated ?? environment.state ?? DEFAULTS.state;
  checkState(state);
  return state;
}

/** @throws SluiceError `usage` for an invalid rate */
export function rateOf(text: string | undefined): Rate | undefined {
  const rate = text === undefined ? undefined : parseRate(text);
  if (rate !== undefined || text === undefined) return rate;
  throw wrongUse('--rate: a rate is written like 20/2s, "20/2s, 100/60s", or off.');
}
