// Steps 7 to 15 of the schema: never edited, not even a comment. The later ones, and what they are for: migrations.ts.

export const STEPS_7_TO_15: readonly string[] = [
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
];
