// The numbered steps that bring a state file from any older schema to this one. A step that has been
// released is never edited, not even a comment in it: a change is a new step. State files keep the text, and
// check-schema.ts refuses another one.
import { FIRST_RELEASE } from './first-schema.js';
import { STEPS_7_TO_15 } from './second-schema.js';
import { STEPS_16_TO_25 } from './third-schema.js';

export const MIGRATIONS: readonly string[] = [
  ...FIRST_RELEASE,
  ...STEPS_7_TO_15,
  ...STEPS_16_TO_25,

  // 26: workers on other machines
  `
  -- JSON: what a worker elsewhere needs to go on with the run, and why none does for now. Null once it has ended.
  ALTER TABLE runs ADD COLUMN task TEXT;
  ALTER TABLE runs ADD COLUMN parked TEXT;
  CREATE INDEX runs_with_task ON runs (id) WHERE task IS NOT NULL;
  `,

  // 27: a state that was moved to another place, and one that is being filled
  `
  -- One row, or none.
  CREATE TABLE moved (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    -- The state that this one was moved to, or is being moved to: nothing is paid for from here.
    moved_to    TEXT,
    -- The state that this one is filled from: until it is whole nothing can be done with it.
    filled_from TEXT,
    -- The same on both sides.
    copy_token  TEXT NOT NULL,
    -- 1 where it was moved: the other one is whole.
    is_whole    INTEGER NOT NULL DEFAULT 0,
    CHECK ((moved_to IS NULL) <> (filled_from IS NULL))
  ) STRICT;
  `,

  // 28: the slots of a limit, dealt out among its senders
  `
  -- JSON (src/model/schedule/limit-state.ts): who sends, what each holds of the limit, and what those have left that
  -- ended. Where that is unknown, the account is left alone for a window.
  CREATE TABLE limits (
    account TEXT PRIMARY KEY,
    state   TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO limits
    SELECT a.account, json_object(
      'asOf', json_object('at', a.at, 'steady', NULL),
      'turns', 0,
      'pauseMs', (SELECT max(0, max(iif(slots_ms IS NULL, coalesce(nullif(window_ms, 0), 60000), pause_ms) - max(0, a.at - coalesce(ended_at, a.at))))
        FROM senders s WHERE s.account = a.account),
      'takenMs', json((SELECT json_group_array(ms) FROM (
        SELECT slot.value - max(0, a.at - s.ended_at) AS ms FROM senders s, json_each(s.slots_ms) slot
        WHERE s.account = a.account AND s.ended_at IS NOT NULL AND slot.value > max(0, a.at - s.ended_at)
        ORDER BY ms))),
      -- Those that were killed have a file of their number.
      'senders', json((SELECT json_group_array(json_object('id', CAST(id AS TEXT), 'origin', NULL, 'limit', 'off',
          'seq', 0, 'held', 0, 'wants', 0, 'silentMs', 0, 'grantedMs', json('[]'), 'turn', 0))
        FROM senders s WHERE s.account = a.account AND s.ended_at IS NULL)))
    FROM (SELECT account, iif(count(ended_at) < count(*), now, max(ended_at)) AS at
      FROM senders, (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now)
      GROUP BY account) a;
  DROP TABLE senders;
  `,

  // 29: which first looks at an empty answer may be believed, and which misses were
  `
  CREATE TABLE empty_answers_29 (
    account   TEXT NOT NULL,
    dialect   TEXT NOT NULL,
    -- Of the first look: early or late.
    kind      TEXT NOT NULL,
    -- Second looks in a row that were as empty; one that was not makes it 0.
    confirmed INTEGER NOT NULL,
    -- Another one after each that was not.
    id        INTEGER NOT NULL UNIQUE,
    PRIMARY KEY (account, dialect, kind)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO empty_answers_29
    SELECT account, dialect, 'early', confirmed, row_number() OVER () FROM empty_answers;
  DROP TABLE empty_answers;
  ALTER TABLE empty_answers_29 RENAME TO empty_answers;
  -- The id above on which a miss counts without a second look; null for every other enrichment.
  ALTER TABLE enrichments ADD COLUMN believed INTEGER;
  CREATE INDEX believed_misses ON enrichments (run_id) WHERE believed IS NOT NULL;
  `,

  // 30: wider questions, whose answers serve narrower ones
  `
  -- What enrichments have asked for so far, as in their column of that name.
  CREATE TABLE asked (
    ask TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  INSERT INTO asked SELECT DISTINCT ask FROM enrichments;
  -- The wider enrichment whose outcome this one waits for, or has waited for. And whether others wait for this one's.
  ALTER TABLE enrichments ADD COLUMN served_by INTEGER;
  ALTER TABLE enrichments ADD COLUMN serves INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX served ON enrichments (served_by) WHERE served_by IS NOT NULL;
  `,

  // 31: the leads that a sample has chosen stay in it
  `
  -- A JSON array: a digest of the inputs of each (src/run/choose/sample.ts), in the order of their choice.
  CREATE TABLE samples (
    job   TEXT NOT NULL,
    seed  INTEGER NOT NULL,
    leads TEXT NOT NULL,
    PRIMARY KEY (job, seed)
  ) STRICT, WITHOUT ROWID;
  `,

  // 32: when workers begin runs by themselves
  `
  CREATE TABLE schedules (
    job      TEXT PRIMARY KEY,
    pattern  TEXT NOT NULL,
    timezone TEXT NOT NULL,
    catch_up TEXT NOT NULL,
    -- One that has come stays until its run is read, or it has passed.
    next_at  INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
