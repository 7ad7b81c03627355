// What the store holds for the leads of a plan, which changes nothing.
import type Database from 'better-sqlite3';
import type { Fingerprints, PeekedState } from '../../ports/store/enrichments.js';
import type { Verbs } from '../database/transactions.js';
import {
  ENDED_BY_ID,
  isFresh,
  isReadAgain,
  type SettledRow,
  wasAccepted,
} from './known-answers.js';

interface PeekedRow extends SettledRow {
  predecessor: number | null;
}

export function preparePeek(db: Database.Database): Verbs['peek'] {
  const current = db.prepare<[Uint8Array], PeekedRow>(
    `SELECT state, ticket, settled_at, predecessor FROM enrichments
     WHERE fingerprint = ? AND is_current = 1`,
  );
  const ended = db.prepare<[number], SettledRow>(ENDED_BY_ID);

  const peekOne = (lead: Fingerprints, freshSince: number): PeekedState => {
    const { fingerprint, formerFingerprint: former } = lead;
    const row = current.get(fingerprint) ?? (former === undefined ? former : current.get(former));
    if (row === undefined) return 'new';
    if (row.state === 'queued' || !wasAccepted(row)) {
      const before = row.predecessor === null ? undefined : ended.get(row.predecessor);
      return before !== undefined && (isReadAgain(before) || isFresh(before, freshSince))
        ? 'fresh'
        : 'new';
    }
    if (row.state === 'uncertain') return 'uncertain';
    if (row.settled_at === null || row.state === 'timed_out') return 'open';
    return isFresh(row, freshSince) ? 'fresh' : 'new';
  };

  return (leads, freshSince) => leads.map((lead) => peekOne(lead, freshSince));
}
