// What each dialect that Sluice knows by itself can do: the neutral one, and those that are ready-made.
import { loadDialect, readyMadeDialects } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { bulkForm, canAsk, singleForm } from '../../dialect/forms.js';
import { ASKS, type Ask, type Prices } from '../../model/ask.js';
import type { Rate } from '../../model/schedule/rate.js';

export interface DialectSummary {
  /** What `dialect` of a job is set to; `neutral` without one. */
  readonly name: string;
  readonly asks: readonly Ask[];
  readonly prices: Prices;
  readonly rate: Rate;
  /** `request`: an address can go along with a request. `hook`: one can be registered. */
  readonly webhooks: readonly ('request' | 'hook')[];
  /** Enrichments in one call; 0 without a bulk call. */
  readonly bulkMax: number;
}

/** @throws SluiceError `usage` for a dialect that is none */
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
    asks: ASKS.filter((ask) => forms.some((form) => canAsk(form, [ask]))),
    prices,
    rate: limits.rate,
    webhooks: [
      ...(isInRequest ? (['request'] as const) : []),
      ...(hooks === null ? [] : (['hook'] as const)),
    ],
    bulkMax: bulk.path === null ? 0 : bulk.max,
  };
}
