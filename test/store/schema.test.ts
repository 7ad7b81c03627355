// The schema's arrows against the rules: neither may know one that the other does not. And the steps that make it: state
// files keep their text.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMove, STATES } from '../../src/model/enrichment/arrows.js';
import { stepsAfter, versionOf } from '../../src/store/schema.js';
import { NEWEST_DIGEST, newestDigest } from '../../src/store/sqlite/database/check-schema.js';
import { openDatabase } from '../../src/store/sqlite/database/open-database.js';
import { tempFolder } from '../helpers/temp-folder.js';

describe('the arrows in the schema', () => {
  const db = openDatabase(join(tempFolder(), 'arrows.db'));
  const insert = db.prepare(
    `INSERT INTO enrichments (fingerprint, is_current, run_id, state, ask, sent, inputs, ticket, reason,
       submitted_at, poll_at, deadline_at, settled_at)
     VALUES (randomblob(16), 0, 1, ?, '', '', '{}', 'enr_1', 'why', 1, 1, 1, ?)`,
  );
  const isSettled = (state: string) =>
    ['found', 'not_found', 'failed', 'timed_out'].includes(state) ? 1 : null;
  const move = db.prepare('UPDATE enrichments SET state = ?, settled_at = ? WHERE id = ?');

  it.each(
    STATES.flatMap((from) => STATES.filter((to) => to !== from).map((to) => [from, to] as const)),
  )('%s to %s is allowed exactly where the rules allow it', (from, to) => {
    const { lastInsertRowid } = insert.run(from, isSettled(from));
    const go = () => move.run(to, isSettled(to), lastInsertRowid);
    if (canMove(from, to)) expect(go).not.toThrow();
    else expect(go).toThrow(/cannot move along this arrow/);
  });

  it('one fingerprint has one current enrichment, whatever the code above does', () => {
    const twice = db.prepare(
      `INSERT INTO enrichments (fingerprint, run_id, ask, sent, inputs) VALUES (x'00', 1, '', '', '{}')`,
    );
    twice.run();
    expect(() => twice.run()).toThrow(/UNIQUE/);
  });

  it('an enrichment cannot await without a ticket', () => {
    expect(() =>
      db.exec(
        `INSERT INTO enrichments (fingerprint, run_id, state, ask, sent, inputs, submitted_at, poll_at, deadline_at)
         VALUES (x'01', 1, 'awaiting', '', '', '{}', 1, 1, 1)`,
      ),
    ).toThrow(/CHECK/);
  });
});

describe('the steps of a schema', () => {
  // Where it differs without a new step, this SQLite words a schema in another way than the one before: files that
  // exist would be refused.
  it('make the one whose digest npm run generate wrote', () => {
    expect(NEWEST_DIGEST).toBe(newestDigest());
  });

  it('follow the baseline, and each is applied once', () => {
    const steps = ['the baseline', 'a step of the first release after it'];
    const version = versionOf(steps);
    expect(versionOf(steps.slice(0, 1))).toBe(version - 1);
    expect(stepsAfter(0, steps)).toEqual(steps);
    expect(stepsAfter(version - 1, steps)).toEqual(steps.slice(1));
    expect(stepsAfter(version, steps)).toEqual([]);
  });
});
