// The schema of a state: one text for both databases (schema/), except for some words. Until the first release it is
// edited as it stands; from then on it is frozen, and a change is a step that follows it (CONTRIBUTING.md).
//
// Times are in milliseconds since the Unix epoch, by the clock of the process that wrote them; only leases go by the
// server's clock. No table refers to another: a check of each reference would cost a third of a verb. The conformance
// suite looks for rows that belong to nothing.
import { SluiceError } from '../model/errors.js';
import { otherTables } from './schema/others.js';
import type { DatabaseKind } from './schema/words.js';
import { workTables } from './schema/work.js';

/** The version of the baseline. It rises with each change before the first release: no earlier one is read. */
const BASELINE = 112;
/** The commit that reads the states of every checkout before it. */
const READS_EARLIER = '5064f3f2';

export function versionOf(steps: readonly string[]): number {
  return BASELINE + steps.length - 1;
}

/** The steps that a schema of this version lacks; all for 0, an empty database. */
export function stepsAfter(version: number, steps: readonly string[]): readonly string[] {
  return steps.slice(Math.max(0, version - BASELINE + 1));
}

/** @throws SluiceError `store` for a schema that was never published */
export function refuseUnpublished(place: string, version: number): void {
  if (version === 0 || version >= BASELINE) return;
  throw new SluiceError(
    'store',
    `${place} was made by an earlier checkout (schema ${version}), and this Sluice does not read it. Commit ${READS_EARLIER} of the repository does: with it, export what you need. A new state knows nothing of what is paid for there, until "sluice known import" takes these tables.`,
  );
}

export function schemaFor(kind: DatabaseKind): string {
  return `${workTables(kind)}
  ${HOLDERS[kind]}
${otherTables(kind)}`;
}

/**
 * The table of the processes that work on jobs: in a file it stands beside the lock file, which alone proves the lock;
 * in a database it is the lease.
 */
const HOLDERS = {
  sqlite: `CREATE TABLE holders (
    job   TEXT PRIMARY KEY,
    pid   INTEGER NOT NULL,
    host  TEXT NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;
  -- One row: the state that this one was moved to, and the one that it is being filled from.
  CREATE TABLE identity (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    moved_to    TEXT,
    filled_from TEXT
  ) STRICT;
  INSERT INTO identity (id) VALUES (1);`,
  postgres: `CREATE TABLE leases (
    job        text PRIMARY KEY,
    -- It grows with each new holder.
    epoch      bigint NOT NULL,
    pid        integer NOT NULL,
    host       text NOT NULL,
    -- The machine's start and process space in which the pid means something; null where that is unknown.
    realm      text,
    since      bigint NOT NULL,
    expires_at timestamptz NOT NULL
  );
  -- A field of a JSON object. Null where PostgreSQL cannot read the object: it takes no U+0000 and no half of a pair.
  CREATE FUNCTION json_field(body text, name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN body::json ->> name;
    EXCEPTION WHEN untranslatable_character OR invalid_text_representation THEN
      RETURN NULL;
    END $$;`,
};
