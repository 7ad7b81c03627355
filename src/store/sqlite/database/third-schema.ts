// Steps 16 to 25 of the schema: never edited, not even a comment. The later ones, and what they are for: migrations.ts.

export const STEPS_16_TO_25: readonly string[] = [
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

  // 24: the numbers of each run, kept beside the states that they count
  `
  -- What the leads of a run show, and how many show the same. Beside the statuses: 'in part', by reason, and 'distinct',
  -- the number of different enrichments of a finished run.
  CREATE TABLE run_counts (
    run_id      INTEGER NOT NULL,
    status      TEXT NOT NULL,
    -- The state of the newer request, where an older answer is shown; else empty.
    again       TEXT NOT NULL,
    reason      TEXT NOT NULL,
    -- 1 where another line, or another run, asked for the answer.
    cached      INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    thousandths INTEGER NOT NULL,
    PRIMARY KEY (run_id, status, again, reason, cached)
  ) STRICT, WITHOUT ROWID;
  -- The run of the lead that made it; that lead is the first of its run to ask. Null: that lead is among the followers.
  ALTER TABLE enrichments ADD COLUMN home INTEGER;
  -- 0: no other lead shows it.
  ALTER TABLE enrichments ADD COLUMN is_followed INTEGER NOT NULL DEFAULT 1;
  -- The other leads whose rows change with an enrichment that has not ended.
  CREATE TABLE followers (
    enrichment_id INTEGER NOT NULL,
    run_id        INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    PRIMARY KEY (enrichment_id, run_id, position)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO followers
    SELECT e.id, l.run_id, l.position FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
    WHERE e.state NOT IN ('found', 'not_found', 'failed');
  INSERT OR IGNORE INTO followers
    SELECT o.id, l.run_id, l.position FROM leads l JOIN enrichments e ON e.id = l.enrichment_id
      JOIN enrichments o ON o.id = e.older_answer
    WHERE o.state NOT IN ('found', 'not_found', 'failed');
  INSERT INTO run_counts
    SELECT l.run_id,
      CASE WHEN e.id IS NULL THEN iif(l.not_asked = 1, 'not_asked', 'skipped')
        WHEN o.state = 'found' THEN 'found'
        WHEN e.state NOT IN ('found', 'not_found') AND (o.id IS NOT NULL OR e.answered_at IS NOT NULL)
          THEN 'not_found'
        ELSE e.state END,
      CASE WHEN e.state NOT IN ('found', 'not_found') AND (o.id IS NOT NULL OR e.answered_at IS NOT NULL)
        THEN e.state ELSE '' END,
      coalesce(iif(e.id IS NULL, l.note, e.reason), ''),
      o.id IS NOT NULL OR (e.settled_at IS NOT NULL AND NOT (l.is_first = 1 AND e.paid_by IS l.run_id)),
      count(*), sum(CASE WHEN l.is_first = 1 AND e.paid_by IS l.run_id THEN e.thousandths ELSE 0 END)
    FROM leads l LEFT JOIN enrichments e ON e.id = l.enrichment_id
      LEFT JOIN enrichments o ON o.id = e.older_answer
        AND NOT (e.state IN ('found', 'not_found') OR e.answered_at IS NOT NULL)
        AND (o.state IN ('found', 'not_found') OR o.answered_at IS NOT NULL)
    GROUP BY 1, 2, 3, 4, 5;
  INSERT INTO run_counts
    SELECT run_id, 'in part', '', note, 0, count(*), 0 FROM leads
    WHERE enrichment_id IS NOT NULL AND note IS NOT NULL GROUP BY run_id, note;
  INSERT INTO run_counts
    SELECT id, 'distinct', '', '', 0, (SELECT count(DISTINCT enrichment_id) FROM leads WHERE run_id = runs.id), 0
    FROM runs WHERE state = 'finished' AND pruned_at IS NULL;
  ALTER TABLE runs DROP COLUMN tally;
  `,

  // 25: a delivery outlives its body
  `
  -- With what came of it, null while it was never handled. What it says is in a table of its own, whose pages are free
  -- once it has left.
  CREATE TABLE deliveries_25 (
    id            INTEGER PRIMARY KEY,
    scope         TEXT NOT NULL,
    enrichment_id INTEGER,
    call_id       INTEGER,
    received_at   INTEGER NOT NULL,
    times         INTEGER NOT NULL DEFAULT 1,
    -- Of key and body, to find the same one again: 48 bits, and the next 80. Null: of a forgotten person; the rest also
    -- before this step.
    digest        INTEGER,
    digest_rest   BLOB,
    handled_at    INTEGER,
    settled       INTEGER,
    unchanged     INTEGER,
    unknown       INTEGER,
    -- Enrichments that it settled besides the one of its key, each between two blanks.
    also_settled  TEXT
  ) STRICT;
  INSERT INTO deliveries_25 (id, scope, enrichment_id, call_id, received_at, times, digest, handled_at, settled,
      unchanged, unknown)
    SELECT d.id, scope, enrichment_id, call_id, received_at, times, digest, handled_at, settled, unchanged, unknown
    FROM deliveries d LEFT JOIN handled_deliveries h ON h.delivery_id = d.id;
  CREATE TABLE delivery_bodies (
    delivery_id INTEGER PRIMARY KEY REFERENCES deliveries (id),
    body        TEXT NOT NULL
  ) STRICT;
  -- What has settled a lead, and nothing of it is unknown or unread, is not needed any more.
  INSERT INTO delivery_bodies SELECT d.id, body FROM deliveries d LEFT JOIN handled_deliveries h ON h.delivery_id = d.id
    WHERE h.settled IS NULL OR h.settled = 0 OR h.unknown > 0
      OR EXISTS (SELECT 1 FROM pending_deliveries p WHERE p.scope = d.scope AND p.delivery_id = d.id)
      OR EXISTS (SELECT 1 FROM unread_deliveries u WHERE u.delivery_id = d.id);
  DROP TABLE handled_deliveries;
  DROP TABLE deliveries;
  ALTER TABLE deliveries_25 RENAME TO deliveries;
  CREATE INDEX deliveries_by_digest ON deliveries (digest) WHERE digest IS NOT NULL;
  `,
];
