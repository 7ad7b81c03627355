// The numbered steps that bring a state file from any older schema to this one. A step that has been
// released is never edited, not even a comment in it: a change is a new step. State files keep the text, and
// check-schema.ts refuses another one.
import { FIRST_RELEASE } from './first-schema.js';

export const MIGRATIONS: readonly string[] = [
  ...FIRST_RELEASE,

  // 7: what is known is not replaced by less, and what cannot be read yet is kept
  `
  -- The last answered enrichment of the same fingerprint: it stands in the rows while this one has no answer. And the
  -- last accepted one: it counts while this one was never accepted. Without reference checks, which would look
  -- through the whole table at every removal.
  ALTER TABLE enrichments ADD COLUMN older_answer INTEGER;
  ALTER TABLE enrichments ADD COLUMN predecessor INTEGER;
  -- When it was answered not_found, where its ticket is read once more: until then that answer stands.
  ALTER TABLE enrichments ADD COLUMN answered_at INTEGER;
  CREATE INDEX step_7 ON enrichments (fingerprint) WHERE is_current = 0;
  UPDATE enrichments SET older_answer =
    (SELECT max(o.id) FROM enrichments o WHERE o.fingerprint = enrichments.fingerprint AND o.is_current = 0
       AND (o.state = 'found' OR o.state = 'not_found'))
  WHERE is_current = 1 AND state <> 'found' AND state <> 'not_found';
  UPDATE enrichments SET predecessor =
    (SELECT max(o.id) FROM enrichments o WHERE o.fingerprint = enrichments.fingerprint AND o.is_current = 0
       AND (o.state = 'found' OR o.state = 'not_found' OR (o.state = 'failed' AND o.ticket IS NOT NULL)))
  WHERE is_current = 1 AND (state = 'queued' OR (state = 'failed' AND ticket IS NULL));
  DROP INDEX step_7;

  DROP TRIGGER arrows;
  CREATE TRIGGER arrows BEFORE UPDATE OF state ON enrichments
  WHEN OLD.state <> NEW.state AND instr(
    ' queued>submitting'
    || ' submitting>awaiting submitting>queued submitting>failed submitting>uncertain'
    || ' awaiting>found awaiting>not_found awaiting>failed awaiting>timed_out'
    || ' timed_out>found timed_out>not_found timed_out>failed timed_out>awaiting'
    || ' uncertain>awaiting uncertain>found uncertain>not_found uncertain>failed uncertain>queued'
    || ' not_found>awaiting failed>awaiting ',
    ' ' || OLD.state || '>' || NEW.state || ' ') = 0
  BEGIN
    SELECT RAISE(ABORT, 'an enrichment cannot move along this arrow');
  END;

  -- Answers that no dialect has read yet.
  CREATE TABLE unread_answers (
    enrichment_id INTEGER PRIMARY KEY REFERENCES enrichments (id),
    body          TEXT NOT NULL
  ) STRICT;
  -- Deliveries of the same kind: pending again when the next run of their scope begins.
  CREATE TABLE unread_deliveries (
    delivery_id INTEGER PRIMARY KEY REFERENCES deliveries (id)
  ) STRICT;
  -- For which asks a dialect has read a value in an account's answers.
  CREATE TABLE readings (
    account TEXT NOT NULL,
    dialect TEXT NOT NULL,
    ask     TEXT NOT NULL,
    PRIMARY KEY (account, dialect, ask)
  ) STRICT, WITHOUT ROWID;
  `,

  // 8: every ticket that is known, also of what has its answer: a webhook must not give it to another
  `
  DROP INDEX awaited_tickets;
  CREATE INDEX tickets ON enrichments (ticket) WHERE ticket IS NOT NULL;
  `,

  // 9: a row for each sender, so that the end of one frees nothing of what another one sent
  `
  CREATE TABLE senders (
    id        INTEGER PRIMARY KEY,
    account   TEXT NOT NULL,
    -- Of the limit that it keeps to, in ms.
    window_ms INTEGER NOT NULL,
    -- Null while it sends, and after it was killed.
    ended_at  INTEGER,
    -- Its end by a clock that nobody can set, and which start of the machine that one counts from.
    boot      TEXT,
    steady_ms INTEGER,
    -- For how long after its end each slot is taken, and the platform is asked nothing, in ms. Null: nobody knows.
    slots_ms  TEXT,
    pause_ms  INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX senders_of_account ON senders (account);
  INSERT INTO senders (account, window_ms, ended_at, slots_ms)
    SELECT account, 0, iif(is_open = 1, NULL, now), iif(is_open = 1, NULL,
        (SELECT json_group_array(min(86400000, value - now)) FROM json_each(taken_until)))
      FROM sending, (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now);
  DROP TABLE sending;
  `,

  // 10: which files commands have read and written
  `
  -- By their real paths. What earlier releases read and wrote is as its run was given it, without from_state.
  CREATE TABLE read_files (
    path       TEXT NOT NULL,
    from_state TEXT,
    role       TEXT NOT NULL,
    job        TEXT NOT NULL,
    run_id     INTEGER NOT NULL,
    PRIMARY KEY (path, role, job)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO read_files
    SELECT source.value, NULL, 'input', job, max(runs.id) FROM runs, json_each(plan, '$.sources') AS source
    WHERE source.value <> '-' AND pruned_at IS NULL GROUP BY source.value, job;

  -- Outlives its run, which may be pruned. The job of events is empty.
  CREATE TABLE written_files (
    path        TEXT NOT NULL,
    from_state  TEXT,
    role        TEXT NOT NULL,
    job         TEXT NOT NULL,
    run_id      INTEGER,
    size        INTEGER,
    modified_at INTEGER,
    PRIMARY KEY (path, role, job)
  ) STRICT, WITHOUT ROWID;
  WITH tables (id, job, path, has_rejects) AS (
    SELECT id, job, json_extract(plan, '$.output.out'), reject_count > 0 FROM runs
  )
  INSERT INTO written_files (path, role, job, run_id)
    SELECT path, 'table', job, max(id) FROM tables WHERE path <> '-' GROUP BY path, job
    UNION ALL
    SELECT CASE WHEN lower(path) LIKE '%.csv' THEN substr(path, 1, length(path) - 4)
                WHEN lower(path) LIKE '%.jsonl' THEN substr(path, 1, length(path) - 6)
                WHEN lower(path) LIKE '%.ndjson' THEN substr(path, 1, length(path) - 7)
                ELSE path END || '.rejects.csv' AS rejects, 'rejects', job, max(id)
    FROM tables WHERE path <> '-' AND has_rejects GROUP BY rejects, job;
  `,

  // 11: a key settles what it names, and no key fills the disk
  `
  -- The bulk call that it was accepted in, by the first enrichment of that call; 0: in none. Null: before this step.
  ALTER TABLE enrichments ADD COLUMN call_id INTEGER;
  -- The bulk call that the key in the path names.
  ALTER TABLE deliveries ADD COLUMN call_id INTEGER;
  -- 48 bits of a digest of key and body, to find the same one again; null: before this step, and of a forgotten person.
  ALTER TABLE deliveries ADD COLUMN digest INTEGER;
  -- How often the same body came under the same key.
  ALTER TABLE deliveries ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
  CREATE INDEX deliveries_by_digest ON deliveries (digest) WHERE digest IS NOT NULL;
  -- What came under one key; id: the enrichment, or the bulk call with a minus sign.
  CREATE TABLE delivery_keys (
    id     INTEGER PRIMARY KEY,
    bytes  INTEGER NOT NULL,
    unkept INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  `,

  // 12: prices may be fractions of a credit
  `
  -- What it cost, in whole thousandths of a credit.
  ALTER TABLE enrichments RENAME COLUMN credits TO thousandths;
  UPDATE enrichments SET thousandths = thousandths * 1000 WHERE thousandths > 0;
  `,

  // 13: what was asked for less than its job wanted, when more inputs were taken for insufficient
  `
  -- The asks of each such job, in alphabetical order, with a blank before and after each list.
  ALTER TABLE enrichments ADD COLUMN wanted TEXT;
  CREATE INDEX asked_for_less ON enrichments (fingerprint) WHERE wanted IS NOT NULL;
  WITH jobs (run_id, asks) AS (
    SELECT id, (SELECT group_concat(value, ',') FROM
        (SELECT DISTINCT value FROM json_each(plan, '$.ask') ORDER BY value))
      FROM runs
  ), less (enrichment_id, asks) AS (
    SELECT e.id, asks FROM leads l JOIN jobs USING (run_id) JOIN enrichments e ON e.id = l.enrichment_id
      WHERE length(asks) > length(e.ask)
    UNION
    SELECT e.id, asks FROM enrichments e JOIN jobs ON jobs.run_id = coalesce(e.paid_by, e.run_id)
      WHERE length(asks) > length(e.ask)
  )
  UPDATE enrichments SET wanted = lists
    FROM (SELECT enrichment_id, ' ' || group_concat(asks, ' ') || ' ' AS lists FROM less GROUP BY 1)
    WHERE enrichment_id = enrichments.id;
  `,

  // 14: the accounts of all runs are found without reading every run
  `
  CREATE INDEX runs_of_account ON runs (json_extract(plan, '$.account'));
  `,

  // 15: leads that are not asked, because the user chose others
  `
  ALTER TABLE leads ADD COLUMN not_asked INTEGER NOT NULL DEFAULT 0;
  `,

  // 16: the longest time for which any run of each job counted results as fresh
  `
  -- Outlives the runs. A job whose runs do not say, as those of 0.1.0, is not in it.
  CREATE TABLE fresh_for (
    job        TEXT PRIMARY KEY,
    longest_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO fresh_for
    SELECT job, max(told) FROM
      (SELECT job, CAST(json_extract(plan, '$.freshForMs') AS INTEGER) AS told FROM runs)
    WHERE told IS NOT NULL GROUP BY job;
  `,

  // 17: what a run counted over time, for its report
  `
  -- For each run that began since; the histograms are JSON.
  CREATE TABLE series (
    run_id     INTEGER PRIMARY KEY REFERENCES runs (id),
    width_ms   INTEGER NOT NULL,
    histograms TEXT NOT NULL
  ) STRICT;
  -- at: when it begins, a multiple of the width.
  CREATE TABLE series_buckets (
    run_id       INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    leads        INTEGER NOT NULL,
    known        INTEGER NOT NULL,
    to_pay       INTEGER NOT NULL,
    on_their_way INTEGER NOT NULL,
    accepted     INTEGER NOT NULL,
    found        INTEGER NOT NULL,
    not_found    INTEGER NOT NULL,
    failed       INTEGER NOT NULL,
    polled       INTEGER NOT NULL,
    delivered    INTEGER NOT NULL,
    thousandths  INTEGER NOT NULL,
    in_vain      INTEGER NOT NULL,
    submits      INTEGER NOT NULL,
    polls        INTEGER NOT NULL,
    others       INTEGER NOT NULL,
    peak         INTEGER NOT NULL,
    throttled    INTEGER NOT NULL,
    paused_ms    INTEGER NOT NULL,
    PRIMARY KEY (run_id, at)
  ) STRICT, WITHOUT ROWID;
  `,

  // 18: what the files of drop folders looked like when they were hashed
  `
  -- A file that looks the same has the same bytes: one that is done is not read again.
  CREATE TABLE hashed_files (
    job      TEXT NOT NULL,
    path     TEXT NOT NULL,
    look     TEXT NOT NULL,
    digest   TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (job, path)
  ) STRICT, WITHOUT ROWID;
  `,

  // 19: the cells of many leads in one row, inputs without their names, and a short index of tickets
  `
  -- Of leads that follow one another: the cells of each in a JSON array, as text or deflated (RFC 1951).
  CREATE TABLE lead_cells (
    run_id         INTEGER NOT NULL REFERENCES runs (id),
    first_position INTEGER NOT NULL,
    cells          ANY NOT NULL,
    PRIMARY KEY (run_id, first_position)
  ) STRICT, WITHOUT ROWID;
  WITH numbered AS (
    SELECT run_id, position, cells, position - row_number() OVER (PARTITION BY run_id ORDER BY position) AS island
    FROM leads
  )
  INSERT INTO lead_cells
    SELECT run_id, min(position), json_group_array(json(cells) ORDER BY position) FROM numbered
    GROUP BY run_id, island, position / 500;

  CREATE TABLE leads_19 (
    run_id        INTEGER NOT NULL REFERENCES runs (id),
    position      INTEGER NOT NULL,
    source        INTEGER NOT NULL,
    line          INTEGER NOT NULL,
    note          TEXT,
    enrichment_id INTEGER REFERENCES enrichments (id),
    is_first      INTEGER NOT NULL DEFAULT 0,
    not_asked     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, position)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO leads_19 SELECT run_id, position, source, line, note, enrichment_id, is_first, not_asked FROM leads;
  DROP TABLE leads;
  ALTER TABLE leads_19 RENAME TO leads;

  -- A letter for each ask, and a JSON array in the order of STORED_INPUTS (src/store/enrichments/stored-request.ts).
  UPDATE enrichments SET
    ask = replace(replace(replace(replace(replace(ask, ',', ''), 'find_email', 'e'), 'verify_email', 'v'),
      'social_enrichment', 's'), 'find_phone', 'p'),
    inputs = iif(inputs = '{}', '[]', json_array(inputs -> '$.firstName', inputs -> '$.lastName',
    inputs -> '$.companyDomain', inputs -> '$.companyName', inputs -> '$.email', inputs -> '$.socialUrl')),
    -- What has ended waits for nothing.
    deadline_at = iif(state = 'found' OR state = 'not_found' OR state = 'failed', NULL, deadline_at);

  -- 32 bits of a digest of the ticket, to find it by: the index holds no whole ticket.
  ALTER TABLE enrichments ADD COLUMN ticket_digest INTEGER;
  UPDATE enrichments SET ticket_digest = ticket_digest(ticket) WHERE ticket IS NOT NULL;
  DROP INDEX tickets;
  CREATE INDEX tickets ON enrichments (ticket_digest) WHERE ticket_digest IS NOT NULL;
  `,

  // 20: what old runs left goes a little at a time
  `
  -- The lowest id of an enrichment that its leads refer to; the highest number there is where they refer to none. Null:
  -- not looked at since its leads changed.
  ALTER TABLE runs ADD COLUMN least_enrichment INTEGER;
  -- Which answers stand in the place of others that have not come, and which count until others are accepted.
  CREATE INDEX shown_instead ON enrichments (older_answer)
    WHERE older_answer IS NOT NULL AND state <> 'found' AND state <> 'not_found';
  CREATE INDEX counted_instead ON enrichments (predecessor)
    WHERE predecessor IS NOT NULL AND (state = 'queued' OR state = 'failed');
  -- How far the removal has come; 0: it begins anew.
  CREATE TABLE pruning (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    enrichment_id INTEGER NOT NULL DEFAULT 0,
    delivery_id   INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  `,

  // 21: results without the names of their keys; what is kept in body stays readable as it is
  `
  -- What is long, deflated; then the body is empty.
  ALTER TABLE results ADD COLUMN packed BLOB;
  `,

  // 22: how often empty answers were still empty at a second look
  `
  CREATE TABLE empty_answers (
    account   TEXT NOT NULL,
    dialect   TEXT NOT NULL,
    -- In a row; one that was not empty any more makes it 0.
    confirmed INTEGER NOT NULL,
    PRIMARY KEY (account, dialect)
  ) STRICT, WITHOUT ROWID;
  `,

  // 23: how fast the file grows
  `
  -- What was in use, in bytes, once a day while there are runs. Before the first run it was nothing.
  CREATE TABLE sizes (
    noted_at INTEGER PRIMARY KEY,
    bytes    INTEGER NOT NULL
  ) STRICT;
  INSERT INTO sizes SELECT min(started_at), 0 FROM runs HAVING count(*) > 0;
  `,
];
