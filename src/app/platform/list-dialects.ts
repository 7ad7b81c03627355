import { loadDialect, readyMadeDialects } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { bulkForm, offeredAsks, singleForm } from '../../dialect/forms.js';
import type { Ask, Prices } from '../../model/ask.js';
import type { Rate } from '../../model/schedule/rate.js';

export interface DialectSummary {
  /** The value of a job's `dialect`; `neutral` without one. */
  readonly name: string;
  readonly asks: readonly Ask[];
  readonly prices: Prices;
  readonly rate: Rate;
  /** `request`: an address can go along with a request. `hook`: one can be registered. */
  readonly webhooks: readonly ('request' | 'hook')[];
  /** The number of enrichments in one call; 0 without a bulk call. */
  readonly bulkMax: number;
}

/** @throws SluiceError `usage` for an invalid dialect */
export async function listDialects(): Promise<DialectSummary[]> {
  const all = [summaryOf('neutral', await loadDialect())];
  for (const name of readyMadeDialects()) all.push(summaryOf(name, await loadDialect(name)));
  return all;
}

function summaryOf(name: string, dialect: Dialect): DialectSummary {
  const { bulk, hooks, limits, prices } = dialect;
  const forms = [singleForm(dialect), bulkForm(dialect)].flatMap((form) => form ?? []);
  const isInRequest = forms.some(({ spots }) => spots.has('webhookUrl'));
  return {
    name,
    asks: offeredAsks(dialect),
    prices,
    rate: limits.rate,
    webhooks: [
      ...(isInRequest ? (['request'] as const) : []),
      ...(hooks === null ? [] : (['hook'] as const)),
    ],
    bulkMax: bulk.path === null ? 0 : bulk.max,
  };
}
