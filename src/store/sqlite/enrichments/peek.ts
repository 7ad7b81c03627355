// What the store holds for leads and their fingerprints, which changes nothing.
import type Database from 'better-sqlite3';
import { KNOWN_ROW, type Known, type KnownRow } from '../../enrichments/known.js';
import { peekOne } from '../../enrichments/share.js';
import type { Verbs } from '../database/transactions.js';

export function preparePeek(db: Database.Database): Verbs['peek'] {
  const known = prepareKnown(db);

  return (leads, freshSince) => leads.map((lead) => peekOne(known, lead, freshSince));
}

export function prepareKnown(db: Database.Database): Known {
  const current = db.prepare<[Uint8Array], KnownRow>(
    `SELECT ${KNOWN_ROW} FROM enrichments WHERE fingerprint = ? AND is_current = 1`,
  );
  // Nearly always there is none: the index of these is small.
  const askedForLess = db.prepare<[Uint8Array, string], KnownRow>(
    `SELECT ${KNOWN_ROW} FROM enrichments
     WHERE fingerprint = ? AND wanted IS NOT NULL AND is_current = 1 AND instr(wanted, ' ' || ? || ' ') > 0`,
  );
  const byId = db.prepare<[number], KnownRow>(`SELECT ${KNOWN_ROW} FROM enrichments WHERE id = ?`);

  return {
    current: (fingerprint) => current.get(fingerprint),
    askedForLess: (fingerprint, wanted) => askedForLess.get(fingerprint, wanted),
    byId: (id) => byId.get(id),
  };
}
