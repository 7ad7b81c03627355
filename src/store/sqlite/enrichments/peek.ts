// What the store holds for leads and their fingerprints, which changes nothing.
import type Database from 'better-sqlite3';
import type { Verbs } from '../database/transactions.js';
import { KNOWN_ROW, type Known, type KnownRow } from './rules/known.js';
import { peekOne } from './rules/share.js';

export function preparePeek(db: Database.Database): Verbs['peek'] {
  const known = prepareKnown(db);

  return (leads, freshSince) => leads.map((lead) => peekOne(known, lead, freshSince));
}

export function prepareKnown(db: Database.Database): Known {
  const current = db.prepare<[Uint8Array], KnownRow>(
    `SELECT ${KNOWN_ROW} FROM enrichments WHERE fingerprint = ? AND is_current = 1`,
  );
  const byId = db.prepare<[number], KnownRow>(`SELECT ${KNOWN_ROW} FROM enrichments WHERE id = ?`);

  return {
    current: (fingerprint) => current.get(fingerprint),
    byId: (id) => byId.get(id),
  };
}
