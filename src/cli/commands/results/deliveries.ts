// sluice deliveries: the journal of deliveries, newest first.
import { refusedJson, tellRefused } from '../../../model/report/refused-deliveries.js';
import { NUMBER } from '../../command.js';
import { checkLast } from '../../misuse.js';
import { stateCommand } from '../../open-state.js';
import { formatCount, formatNumber, formatTable, formatTime } from '../../print/format.js';

const COUNTS = ['settled', 'unchanged', 'unknown', 'bytes', 'times'];
const HEADER = ['delivery', 'received (UTC)', 'handled (UTC)', ...COUNTS];

export const deliveriesCommand = stateCommand({
  builder: (yargs) => yargs.options({ last: { ...NUMBER, default: 20, describe: 'How many' } }),
  prepare: ({ last }) => checkLast(last, 'deliveries'),
  handler: async ({ last }, store) => {
    const entries = await store.listDeliveries(last);
    const json = entries.map(({ id, receivedAt, handledAt, times, ...entry }) => {
      const { settled, unchanged, unknown, bytes } = entry;
      return {
        delivery: id,
        received_at: new Date(receivedAt).toISOString(),
        handled_at: handledAt === null ? null : new Date(handledAt).toISOString(),
        settled,
        unchanged,
        unknown,
        bytes,
        times,
        refused: null,
      };
    });
    const refused = await store.refusedDeliveries();
    const refusedAsJson = refused.map((one) => ({
      delivery: null,
      received_at: new Date(one.lastAt).toISOString(),
      handled_at: null,
      settled: null,
      unchanged: null,
      unknown: null,
      bytes: null,
      times: one.count,
      refused: refusedJson(one),
    }));
    const rows = entries.map((entry) => [
      String(entry.id),
      formatTime(entry.receivedAt),
      entry.handledAt === null ? 'pending' : formatTime(entry.handledAt),
      ...[entry.settled, entry.unchanged, entry.unknown].map((n) => String(n ?? '')),
      entry.bytes === null ? '' : formatNumber(entry.bytes),
      formatNumber(entry.times),
    ]);
    const lines = formatTable(HEADER, rows, new Set(['delivery', ...COUNTS]));
    const unkept = await store.countUnkept();
    if (unkept > 0) {
      lines.push(
        `${formatCount(unkept, 'delivery', 'deliveries')} more came and ${unkept === 1 ? 'was' : 'were'} not kept: the lead had its answer, or too much came under one key.`,
      );
    }
    lines.push(...refused.map((one) => tellRefused(one, '')));
    return { json: [...json, ...refusedAsJson], lines };
  },
});
