// What the store holds for the leads of a plan, which changes nothing.
import type Database from 'better-sqlite3';
import type { Fingerprints, LesserQuestions, PeekedState } from '../../ports/store/enrichments.js';
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
  const peekOwn = preparePeekOwn(db);
  const findInstead = prepareFindInstead(db);

  return (leads, freshSince) =>
    leads.map((lead) => peekOwn(findInstead(lead, freshSince) ?? lead, freshSince));
}

type KnownInstead = Pick<Fingerprints, 'fingerprint'> & Partial<Pick<LesserQuestions, 'note'>>;

/** The question that was asked for a lead in place of its own, a wider or a lesser one: undefined where none counts. */
export function prepareFindInstead(db: Database.Database) {
  const peekOwn = preparePeekOwn(db);
  const isWanted = db.prepare<[Uint8Array, string]>(
    `SELECT 1 FROM enrichments
     WHERE fingerprint = ? AND wanted IS NOT NULL AND is_current = 1 AND instr(wanted, ' ' || ? || ' ') > 0`,
  );

  return (lead: Fingerprints, freshSince: number): KnownInstead | undefined => {
    const { lesser, wider } = lead;
    if (lesser === undefined && wider === undefined) return undefined;
    if (peekOwn(lead, freshSince) !== 'new') return undefined;
    if (wider !== undefined && peekOwn({ fingerprint: wider }, freshSince) !== 'new') {
      return { fingerprint: wider };
    }
    if (lesser === undefined) return undefined;
    const { fingerprints, note, wanted } = lesser;
    const fingerprint = fingerprints.find(
      (one) =>
        isWanted.get(one, wanted) !== undefined &&
        peekOwn({ fingerprint: one }, freshSince) !== 'new',
    );
    return fingerprint === undefined ? undefined : { fingerprint, note };
  };
}

function preparePeekOwn(db: Database.Database) {
  const current = db.prepare<[Uint8Array], PeekedRow>(
    `SELECT state, ticket, settled_at, predecessor FROM enrichments
     WHERE fingerprint = ? AND is_current = 1`,
  );
  const ended = db.prepare<[number], SettledRow>(ENDED_BY_ID);

  return (lead: Fingerprints, freshSince: number): PeekedState => {
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
}
