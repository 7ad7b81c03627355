// sluice dialects: the dialects that are known by a name, with the abilities of each.
import { type DialectSummary, listDialects } from '../../../app/platform/list-dialects.js';
import { priceOf } from '../../../model/ask.js';
import { formatRate } from '../../../model/schedule/rate.js';
import { command, JSON_OPTION } from '../../command.js';
import { formatNumber, formatTable } from '../../print/format.js';

export const dialectsCommand = command({
  builder: (yargs) => yargs.options(JSON_OPTION),
  handler: async () => {
    const all = await listDialects();
    return {
      json: all.map(({ name, asks, prices, rate, webhooks, bulkMax }) => ({
        dialect: name,
        asks: Object.fromEntries(asks.map((ask) => [ask, prices[ask]])),
        rate: formatRate(rate),
        webhooks,
        bulk_max: bulkMax,
      })),
      lines: formatTable(['dialect', 'asks (credits)', 'rate', 'webhooks', 'bulk'], all.map(rowOf)),
    };
  },
});

function rowOf({ name, asks, prices, rate, webhooks, bulkMax }: DialectSummary): string[] {
  return [
    name,
    asks.map((ask) => `${ask} (${formatNumber(priceOf(prices, ask))})`).join(', '),
    formatRate(rate),
    webhooks.length === 0 ? 'none' : webhooks.join(', '),
    bulkMax === 0 ? 'none' : `${formatNumber(bulkMax)} at once`,
  ];
}
