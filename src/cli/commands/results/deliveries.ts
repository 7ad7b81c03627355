// sluice deliveries: the journal of what webhooks brought, newest first.
import { command, JSON_OPTION, NUMBER, STATE_OPTION } from '../../command.js';

interface DeliveriesArguments {
  state: string | undefined;
  last: number;
  json: boolean;
}

export const deliveriesCommand = command<DeliveriesArguments>({
  command: 'deliveries',
  describe: 'List what webhooks brought, newest first, and what it came to',
  builder: (yargs) =>
    yargs.options({
      ...STATE_OPTION,
      last: { ...NUMBER, default: 20, describe: 'How many' },
      ...JSON_OPTION,
    }),
  handler: async (args) => {
    const { withState } = await import('../../open-state.js');
    const { formatCount, formatNumber, formatTable, formatTime } = await import(
      '../../print/format.js'
    );
    const { checkLast } = await import('../../flags/check-last.js');
    checkLast(args.last, 'deliveries');
    await withState(args.state, async (store) => {
      const entries = await store.listDeliveries(args.last);
      if (args.json) {
        for (const { id, receivedAt, handledAt, times, ...entry } of entries) {
          const { settled, unchanged, unknown, bytes } = entry;
          const handled = handledAt === null ? null : new Date(handledAt).toISOString();
          const received = new Date(receivedAt).toISOString();
          console.log(
            JSON.stringify({
              delivery: id,
              received_at: received,
              handled_at: handled,
              settled,
              unchanged,
              unknown,
              bytes,
              times,
            }),
          );
        }
        return;
      }
      const rows = entries.map((entry) => [
        String(entry.id),
        formatTime(entry.receivedAt),
        entry.handledAt === null ? 'pending' : formatTime(entry.handledAt),
        ...[entry.settled, entry.unchanged, entry.unknown].map((n) => String(n ?? '')),
        formatNumber(entry.bytes),
        formatNumber(entry.times),
      ]);
      const counts = ['settled', 'unchanged', 'unknown', 'bytes', 'times'];
      const header = ['delivery', 'received (UTC)', 'handled (UTC)', ...counts];
      const right = new Set(['delivery', ...counts]);
      for (const line of formatTable(header, rows, right)) console.log(line);
      const unkept = await store.countUnkept();
      if (unkept > 0) {
        console.log(
          `${formatCount(unkept, 'delivery', 'deliveries')} more came and ${unkept === 1 ? 'was' : 'were'} not kept: the lead had its answer, or too much came under one key.`,
        );
      }
    });
  },
});
