// Steps 1 to 6 of the schema: those of 0.1.0, never edited, not even a comment. The later ones, and what they are for:
// migrations.ts.

export const FIRST_RELEASE: readonly string[] = [
  // 1: runs, leads, enrichments, results, rejects
  `
  CREATE TABLE runs (
    id           INTEGER PRIMARY KEY,
    job          TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('reading', 'working', 'finished', 'replaced')),
    plan         TEXT NOT NULL,
    columns      TEXT NOT NULL DEFAULT '[]',
    lead_count   INTEGER NOT NULL DEFAULT 0,
    reject_count INTEGER NOT NULL DEFAULT 0,
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER
  ) STRICT;
  CREATE INDEX runs_of_job ON runs (job);

  -- Who holds each job's lock file; a row outlives its holder and proves nothing by itself.
  CREATE TABLE holders (
    job   TEXT PRIMARY KEY,
    pid   INTEGER NOT NULL,
    host  TEXT NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;

  -- The rate limit's window outlives a process: which slots its last requests hold, and until when.
  CREATE TABLE sending (
    account     TEXT PRIMARY KEY,
    is_open     INTEGER NOT NULL CHECK (is_open IN (0, 1)),
    taken_until TEXT NOT NULL
  ) STRICT;

  -- run_id is the run that works on it now, paid_by the run that sent it last.
  CREATE TABLE enrichments (
    id           INTEGER PRIMARY KEY,
    fingerprint  BLOB NOT NULL,
    is_current   INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
    run_id       INTEGER NOT NULL REFERENCES runs (id),
    paid_by      INTEGER REFERENCES runs (id),
    state        TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'submitting', 'awaiting',
                   'found', 'not_found', 'failed', 'timed_out', 'uncertain')),
    ask          TEXT NOT NULL,
    inputs       TEXT NOT NULL,
    ticket       TEXT,
    reason       TEXT,
    credits      INTEGER NOT NULL DEFAULT 0 CHECK (credits >= 0),
    submitted_at INTEGER,
    poll_at      INTEGER,
    poll_count   INTEGER NOT NULL DEFAULT 0,
    was_empty    INTEGER NOT NULL DEFAULT 0,
    deadline_at  INTEGER,
    settled_at   INTEGER,
    CHECK (state = 'queued' OR submitted_at IS NOT NULL),
    CHECK (state <> 'awaiting' OR (ticket IS NOT NULL AND poll_at IS NOT NULL AND deadline_at IS NOT NULL)),
    CHECK (state NOT IN ('failed', 'timed_out', 'uncertain') OR reason IS NOT NULL),
    CHECK ((state IN ('found', 'not_found', 'failed', 'timed_out')) = (settled_at IS NOT NULL))
  ) STRICT;
  -- One fingerprint, one payment: the index makes a second one impossible, not merely unlikely.
  CREATE UNIQUE INDEX one_payment ON enrichments (fingerprint) WHERE is_current = 1;
  -- Work left, and nothing else: finished enrichments leave the index.
  CREATE INDEX open_work ON enrichments (run_id, state, poll_at)
    WHERE state IN ('queued', 'submitting', 'awaiting');

  -- The arrows of src/domain/enrichment.ts once more: a bug above cannot write a wrong one.
  CREATE TRIGGER arrows BEFORE UPDATE OF state ON enrichments
  WHEN OLD.state <> NEW.state AND (OLD.state || '>' || NEW.state) NOT IN (
    'queued>submitting',
    'submitting>awaiting', 'submitting>queued', 'submitting>failed', 'submitting>uncertain',
    'awaiting>found', 'awaiting>not_found', 'awaiting>failed', 'awaiting>timed_out',
    'timed_out>found', 'timed_out>not_found', 'timed_out>failed', 'timed_out>awaiting',
    'uncertain>awaiting', 'uncertain>found', 'uncertain>not_found', 'uncertain>failed',
    'uncertain>queued')
  BEGIN
    SELECT RAISE(ABORT, 'an enrichment cannot move along this arrow');
  END;

  CREATE TABLE results (
    enrichment_id INTEGER PRIMARY KEY REFERENCES enrichments (id),
    body          TEXT NOT NULL
  ) STRICT;

  -- is_first: the first lead of its run that refers to the enrichment.
  CREATE TABLE leads (
    run_id        INTEGER NOT NULL REFERENCES runs (id),
    position      INTEGER NOT NULL,
    source        INTEGER NOT NULL,
    line          INTEGER NOT NULL,
    cells         TEXT NOT NULL,
    note          TEXT,
    enrichment_id INTEGER REFERENCES enrichments (id),
    is_first      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, position)
  ) STRICT;

  CREATE TABLE rejects (
    id     INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id),
    source INTEGER NOT NULL,
    line   INTEGER NOT NULL,
    reason TEXT NOT NULL,
    raw    TEXT NOT NULL,
    UNIQUE (run_id, source, line)
  ) STRICT;
  `,

  // 2: cancelled runs, counted sends, the delivery journal
  `
  CREATE TABLE runs_2 (
    id           INTEGER PRIMARY KEY,
    job          TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('reading', 'working', 'finished', 'replaced', 'cancelled')),
    plan         TEXT NOT NULL,
    columns      TEXT NOT NULL DEFAULT '[]',
    lead_count   INTEGER NOT NULL DEFAULT 0,
    reject_count INTEGER NOT NULL DEFAULT 0,
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER
  ) STRICT;
  INSERT INTO runs_2 SELECT id, job, state, plan, columns, lead_count, reject_count, started_at, ended_at FROM runs;
  DROP TABLE runs;
  ALTER TABLE runs_2 RENAME TO runs;
  CREATE INDEX runs_of_job ON runs (job);

  -- How often it was claimed to be sent: tells what is learnt of one send from what is learnt of the next.
  ALTER TABLE enrichments ADD COLUMN send_count INTEGER NOT NULL DEFAULT 0;
  UPDATE enrichments SET send_count = 1 WHERE submitted_at IS NOT NULL;
  -- Sends of its run that were uncertain when it was sent again: each may still be charged.
  ALTER TABLE enrichments ADD COLUMN lost_sends INTEGER NOT NULL DEFAULT 0;
  -- Finds by its ticket what an answer is awaited for, and nothing else.
  CREATE INDEX awaited_tickets ON enrichments (ticket) WHERE state IN ('awaiting', 'timed_out');

  -- What the correlation keys are sealed with; made here, known to nobody else.
  CREATE TABLE signing_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
  ) STRICT;

  -- Only ever added to: what a delivery came to stands beside it, so that no body is written twice.
  CREATE TABLE deliveries (
    id            INTEGER PRIMARY KEY,
    scope         TEXT NOT NULL,
    enrichment_id INTEGER,
    received_at   INTEGER NOT NULL,
    body          TEXT NOT NULL
  ) STRICT;
  CREATE TABLE pending_deliveries (
    scope       TEXT NOT NULL,
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id),
    PRIMARY KEY (scope, delivery_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE handled_deliveries (
    delivery_id INTEGER PRIMARY KEY REFERENCES deliveries (id),
    handled_at  INTEGER NOT NULL,
    settled     INTEGER NOT NULL,
    unchanged   INTEGER NOT NULL,
    unknown     INTEGER NOT NULL
  ) STRICT;
  -- Tickets that came before anybody here knew them.
  CREATE TABLE unknown_tickets (
    ticket      TEXT NOT NULL,
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id),
    PRIMARY KEY (ticket, delivery_id)
  ) STRICT, WITHOUT ROWID;
  `,

  // 3: contact lists, what was last seen of the people schema, and the journal of events
  `
  -- Creating a list is not repeatable: intent, id, and never a second time by itself.
  CREATE TABLE lists (
    id         INTEGER PRIMARY KEY,
    run_id     INTEGER UNIQUE REFERENCES runs (id),
    name       TEXT NOT NULL,
    state      TEXT NOT NULL DEFAULT 'wanted'
               CHECK (state IN ('wanted', 'creating', 'created', 'uncertain')),
    list_id    TEXT,
    reason     TEXT,
    position   INTEGER NOT NULL DEFAULT 0,
    added      INTEGER NOT NULL DEFAULT 0,
    already_in INTEGER NOT NULL DEFAULT 0,
    CHECK ((state = 'created') = (list_id IS NOT NULL)),
    CHECK ((state = 'uncertain') = (reason IS NOT NULL))
  ) STRICT;

  CREATE TABLE seen_fields (
    account TEXT PRIMARY KEY,
    seen_at INTEGER NOT NULL,
    fields  TEXT NOT NULL
  ) STRICT;

  CREATE TABLE events (
    id          INTEGER PRIMARY KEY,
    scope       TEXT NOT NULL,
    event_id    TEXT NOT NULL,
    type        TEXT NOT NULL,
    happened_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    body        TEXT NOT NULL,
    UNIQUE (scope, event_id)
  ) STRICT;
  -- What disturbs a run is looked for whenever somebody asks for its status.
  CREATE INDEX disturbances ON events (happened_at)
    WHERE type IN ('sendLimitReached', 'connectionIssue');
  `,

  // 4: which column fed which input, runs that were pruned, and jobs that are paused
  `
  ALTER TABLE runs ADD COLUMN mapping TEXT NOT NULL DEFAULT '[]';
  -- Its leads are gone; the row stays as long as an enrichment refers to it.
  ALTER TABLE runs ADD COLUMN pruned_at INTEGER
    CHECK (pruned_at IS NULL OR state NOT IN ('reading', 'working'));

  CREATE TABLE pauses (
    job   TEXT PRIMARY KEY,
    since INTEGER NOT NULL
  ) STRICT;
  `,

  // 5: the same rules of an enrichment, said so that SQLite need not build a list for each row it writes:
  // IN with more than two values does, once for each statement, and in a trigger for each row
  `
  CREATE TABLE enrichments_5 (
    id           INTEGER PRIMARY KEY,
    fingerprint  BLOB NOT NULL,
    is_current   INTEGER NOT NULL DEFAULT 1 CHECK (is_current = 0 OR is_current = 1),
    run_id       INTEGER NOT NULL REFERENCES runs (id),
    paid_by      INTEGER REFERENCES runs (id),
    state        TEXT NOT NULL DEFAULT 'queued' CHECK (
                   state = 'queued' OR state = 'submitting' OR state = 'awaiting' OR state = 'found'
                   OR state = 'not_found' OR state = 'failed' OR state = 'timed_out' OR state = 'uncertain'),
    ask          TEXT NOT NULL,
    inputs       TEXT NOT NULL,
    ticket       TEXT,
    reason       TEXT,
    credits      INTEGER NOT NULL DEFAULT 0 CHECK (credits >= 0),
    submitted_at INTEGER,
    poll_at      INTEGER,
    poll_count   INTEGER NOT NULL DEFAULT 0,
    was_empty    INTEGER NOT NULL DEFAULT 0,
    deadline_at  INTEGER,
    settled_at   INTEGER,
    send_count   INTEGER NOT NULL DEFAULT 0,
    lost_sends   INTEGER NOT NULL DEFAULT 0,
    CHECK (state = 'queued' OR submitted_at IS NOT NULL),
    CHECK (state <> 'awaiting' OR (ticket IS NOT NULL AND poll_at IS NOT NULL AND deadline_at IS NOT NULL)),
    CHECK (reason IS NOT NULL OR (state <> 'failed' AND state <> 'timed_out' AND state <> 'uncertain')),
    CHECK ((state = 'found' OR state = 'not_found' OR state = 'failed' OR state = 'timed_out')
           = (settled_at IS NOT NULL))
  ) STRICT;
  INSERT INTO enrichments_5 SELECT id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket,
    reason, credits, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends
    FROM enrichments;
  DROP TABLE enrichments;
  ALTER TABLE enrichments_5 RENAME TO enrichments;
  -- One fingerprint, one payment: the index makes a second one impossible, not merely unlikely.
  CREATE UNIQUE INDEX one_payment ON enrichments (fingerprint) WHERE is_current = 1;
  -- Work left, and nothing else: finished enrichments leave the index.
  CREATE INDEX open_work ON enrichments (run_id, state, poll_at)
    WHERE state = 'queued' OR state = 'submitting' OR state = 'awaiting';
  -- Finds by its ticket what an answer is awaited for, and nothing else.
  CREATE INDEX awaited_tickets ON enrichments (ticket) WHERE state = 'awaiting' OR state = 'timed_out';

  -- The arrows of src/domain/enrichment.ts once more: a bug above cannot write a wrong one.
  CREATE TRIGGER arrows BEFORE UPDATE OF state ON enrichments
  WHEN OLD.state <> NEW.state AND instr(
    ' queued>submitting'
    || ' submitting>awaiting submitting>queued submitting>failed submitting>uncertain'
    || ' awaiting>found awaiting>not_found awaiting>failed awaiting>timed_out'
    || ' timed_out>found timed_out>not_found timed_out>failed timed_out>awaiting'
    || ' uncertain>awaiting uncertain>found uncertain>not_found uncertain>failed uncertain>queued ',
    ' ' || OLD.state || '>' || NEW.state || ' ') = 0
  BEGIN
    SELECT RAISE(ABORT, 'an enrichment cannot move along this arrow');
  END;

  -- The numbers of a run that ended with every lead answered for good: nothing but retry and forget changes them.
  ALTER TABLE runs ADD COLUMN tally TEXT;
  `,

  // 6: files of drop folders that are done
  `
  -- By content, and without their names. Outlives the run that did it, which may be pruned.
  CREATE TABLE done_files (
    job     TEXT NOT NULL,
    terms   TEXT NOT NULL,
    digest  TEXT NOT NULL,
    run_id  INTEGER NOT NULL,
    done_at INTEGER NOT NULL,
    PRIMARY KEY (job, terms, digest)
  ) STRICT, WITHOUT ROWID;
  `,
];
