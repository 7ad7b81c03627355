// What is left to do and to pay for a run, as it is counted.
import { fromThousandths } from '../../../../model/credits.js';
import { toAsks } from '../../../../model/enrichment/stored-request.js';
import type { Commitment, RunWork } from '../../../../ports/store/enrichments.js';

/** The reason of what is uncertain after a crash. */
export const CUT_OFF = 'cut off between sending and saving: the platform may have accepted it';

/** By state; `unread`: awaited, and due at no time. */
export function toWork(rows: readonly { readonly state: string; readonly n: number }[]): RunWork {
  const of = (state: string) => rows.find((row) => row.state === state)?.n ?? 0;
  return {
    queued: of('queued'),
    submitting: of('submitting'),
    awaiting: of('awaiting'),
    unread: of('unread'),
    elsewhere: 0,
    givenUp: 0,
  };
}

export interface CommittedRow {
  readonly ask: string;
  readonly open: number;
  readonly thousandths: number;
}

export function toCommitment(rows: readonly CommittedRow[]): Commitment {
  return {
    spent: fromThousandths(rows.reduce((sum, { thousandths }) => sum + thousandths, 0)),
    open: rows
      .filter(({ open }) => open > 0)
      .map(({ ask, open }) => ({ ask: toAsks(ask), count: open })),
  };
}
