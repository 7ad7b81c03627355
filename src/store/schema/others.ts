// The tables beside those of the work: jobs, accounts, deliveries, lists, files, and the series of runs.
import { type DatabaseKind, WORDS } from './words.js';

export function otherTables(kind: DatabaseKind): string {
  const { bytes, flag, id, int, keyed, numbered } = WORDS[kind];
  return `  CREATE TABLE pauses (job TEXT PRIMARY KEY, since ${int} NOT NULL) ${keyed};
  -- JSON: a digest of the inputs of each lead that a sample has chosen, in the order of their choice.
  CREATE TABLE samples (
    job   TEXT NOT NULL,
    seed  ${int} NOT NULL,
    leads TEXT NOT NULL,
    PRIMARY KEY (job, seed)
  ) ${keyed};
  -- When workers begin runs by themselves. A time that has come stays until its run is read, or it has passed.
  CREATE TABLE schedules (
    job      TEXT PRIMARY KEY,
    pattern  TEXT NOT NULL,
    timezone TEXT NOT NULL,
    catch_up TEXT NOT NULL,
    next_at  ${int} NOT NULL
  ) ${keyed};
  -- The longest time for which any run of the job counted results as fresh; it outlives the runs.
  CREATE TABLE fresh_for (job TEXT PRIMARY KEY, longest_ms ${int} NOT NULL) ${keyed};

  -- JSON (LimitState in src/model/schedule/limit.ts): who sends, what each holds of the limit, and what those have left that
  -- ended. Each sender writes it some times a second.
  CREATE TABLE limits (account TEXT PRIMARY KEY, state TEXT) ${
    kind === 'sqlite'
      ? keyed
      : 'WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0)'
  };
  -- Accounts whose last request had no answer: the next run begins with one.
  CREATE TABLE outages (account TEXT PRIMARY KEY) ${keyed};
  -- For which asks a dialect has read a value in an account's answers.
  CREATE TABLE readings (
    account TEXT NOT NULL,
    dialect TEXT NOT NULL,
    ask     TEXT NOT NULL,
    PRIMARY KEY (account, dialect, ask)
  ) ${keyed};
  CREATE TABLE seen_fields (account TEXT PRIMARY KEY, seen_at ${int} NOT NULL, fields TEXT NOT NULL) ${keyed};

  -- What the correlation keys are sealed with; made here, known to nobody else.
  CREATE TABLE signing_key (id ${int} PRIMARY KEY CHECK (id = 1), key ${bytes} NOT NULL) ${numbered};
  -- People who must never be asked for. Outlives forget and prune.
  CREATE TABLE suppressions (
    id     ${id},
    reason TEXT NOT NULL,
    at     ${int} NOT NULL
  ) ${numbered};
  -- The identifiers of each, as digests under the signing key, by a version of the rule (src/model/suppression.ts).
  -- is_given: the user named it; the state linked the others to it.
  CREATE TABLE suppressed (
    digest         ${bytes} NOT NULL,
    suppression_id ${int} NOT NULL,
    kind           TEXT NOT NULL,
    rule           ${int} NOT NULL,
    is_given       ${flag} NOT NULL,
    PRIMARY KEY (digest, suppression_id)
  ) ${keyed};
  CREATE INDEX digests_of_suppression ON suppressed (suppression_id);
  -- The journal. A delivery outlives its body, with what came of it; null while it was never handled.
  CREATE TABLE deliveries (
    id            ${id},
    scope         TEXT NOT NULL,
    -- The enrichment, or the bulk call, that the key in the path names.
    enrichment_id ${int},
    call_id       ${int},
    received_at   ${int} NOT NULL,
    times         ${int} NOT NULL DEFAULT 1,
    -- Of key and body, to find the same one again; null: of a forgotten person.
    digest        ${bytes},
    -- unread: by its dialect; pending again when the next run of its scope begins.
    state         TEXT NOT NULL DEFAULT 'pending' CHECK (state = 'pending' OR state = 'unread' OR state = 'handled'),
    handled_at    ${int},
    settled       ${int},
    unchanged     ${int},
    unknown       ${int},
    -- Enrichments that it settled besides the one of its key, each between two blanks.
    also_settled  TEXT NOT NULL DEFAULT '',
    -- Last, so that SQLite finds the other columns without reading it. Null once it has settled its leads.
    body          TEXT
  ) ${numbered};
  CREATE INDEX deliveries_by_digest ON deliveries (digest) WHERE digest IS NOT NULL;
  CREATE INDEX pending_deliveries ON deliveries (scope, id) WHERE state = 'pending';
  CREATE INDEX unread_deliveries ON deliveries (scope, id) WHERE state = 'unread';
  -- The index of the journal by the tickets that came before anybody here knew them: a delivery may name many.
  CREATE TABLE unknown_tickets (
    ticket      TEXT NOT NULL,
    delivery_id ${int} NOT NULL,
    PRIMARY KEY (ticket, delivery_id)
  ) ${keyed};
  -- What came under one key; id: the enrichment, or the bulk call with a minus sign.
  CREATE TABLE delivery_keys (
    id     ${int} PRIMARY KEY,
    bytes  ${int} NOT NULL,
    unkept ${int} NOT NULL DEFAULT 0
  ) ${numbered};
  -- Deliveries with a genuine key that were refused, counted anew after an hour without one. encoding: the
  -- Content-Encoding that they stated, or empty.
  CREATE TABLE refused_deliveries (
    scope    TEXT NOT NULL,
    reason   TEXT NOT NULL,
    encoding TEXT NOT NULL,
    count    ${int} NOT NULL,
    first_at ${int} NOT NULL,
    last_at  ${int} NOT NULL,
    PRIMARY KEY (scope, reason, encoding)
  ) ${keyed};

  -- Creating a list is not repeatable: intent, id, and never a second time by itself.
  CREATE TABLE lists (
    id         ${id},
    run_id     ${int} UNIQUE,
    name       TEXT NOT NULL,
    state      TEXT NOT NULL DEFAULT 'wanted' CHECK (state IN ('wanted', 'creating', 'created', 'uncertain')),
    list_id    TEXT,
    reason     TEXT,
    position   ${int} NOT NULL DEFAULT 0,
    added      ${int} NOT NULL DEFAULT 0,
    already_in ${int} NOT NULL DEFAULT 0,
    CHECK ((state = 'created') = (list_id IS NOT NULL)),
    CHECK ((state = 'uncertain') = (reason IS NOT NULL))
  ) ${numbered};
  CREATE TABLE events (
    id          ${id},
    scope       TEXT NOT NULL,
    event_id    TEXT NOT NULL,
    type        TEXT NOT NULL,
    happened_at ${int} NOT NULL,
    received_at ${int} NOT NULL,
    body        TEXT NOT NULL,
    UNIQUE (scope, event_id)
  ) ${numbered};
  -- What disturbs a run is looked for whenever somebody asks for its status.
  CREATE INDEX disturbances ON events (happened_at) WHERE type IN ('sendLimitReached', 'connectionIssue');

  -- By their real paths; from_state: the same as seen from a state file, with which it may be moved.
  CREATE TABLE read_files (
    path       TEXT NOT NULL,
    from_state TEXT,
    role       TEXT NOT NULL,
    job        TEXT NOT NULL,
    run_id     ${int} NOT NULL,
    PRIMARY KEY (path, role, job)
  ) ${keyed};
  -- Outlives its run, which may be pruned. The job of events is empty.
  CREATE TABLE written_files (
    path        TEXT NOT NULL,
    from_state  TEXT,
    role        TEXT NOT NULL,
    job         TEXT NOT NULL,
    run_id      ${int},
    -- JSON: size and time of the file, and of the one that it was about to replace.
    looks       TEXT NOT NULL,
    PRIMARY KEY (path, role, job)
  ) ${keyed};
  -- A file of a drop folder that looks the same has the same bytes: one that is done is not read again.
  CREATE TABLE hashed_files (
    job      TEXT NOT NULL,
    path     TEXT NOT NULL,
    look     TEXT NOT NULL,
    digest   TEXT NOT NULL,
    noted_at ${int} NOT NULL,
    PRIMARY KEY (job, path)
  ) ${keyed};
  -- By content, and without their names. Outlives the run that did it, which may be pruned.
  CREATE TABLE done_files (
    job     TEXT NOT NULL,
    terms   TEXT NOT NULL,
    digest  TEXT NOT NULL,
    run_id  ${int} NOT NULL,
    done_at ${int} NOT NULL,
    PRIMARY KEY (job, terms, digest)
  ) ${keyed};

  -- The requests of a run over time, for its report. http: JSON, a histogram of the times until they were answered.
  CREATE TABLE series (
    run_id   ${int} PRIMARY KEY,
    width_ms ${int} NOT NULL,
    http     TEXT NOT NULL
  ) ${numbered};
  -- at: when it begins, a multiple of the width.
  CREATE TABLE series_buckets (
    run_id    ${int} NOT NULL,
    at        ${int} NOT NULL,
    submits   ${int} NOT NULL,
    polls     ${int} NOT NULL,
    others    ${int} NOT NULL,
    peak      ${int} NOT NULL,
    throttled ${int} NOT NULL,
    paused_ms ${int} NOT NULL,
    PRIMARY KEY (run_id, at)
  ) ${keyed};
  -- Sends whose enrichments are gone, or were sent again, as sums of those that are alike. Times are the beginnings of
  -- quarters of an hour. thousandths: of one. is_named: its ticket was known.
  CREATE TABLE charge_sums (
    id          ${id},
    account     TEXT NOT NULL,
    sent_at     ${int} NOT NULL,
    answered_at ${int} NOT NULL,
    ask         TEXT NOT NULL,
    outcome     TEXT NOT NULL,
    thousandths ${int} NOT NULL,
    is_named    ${flag} NOT NULL,
    count       ${int} NOT NULL,
    UNIQUE (account, sent_at, answered_at, ask, outcome, thousandths, is_named)
  ) ${numbered};
  -- Their tickets, as digests that only this state can make; times: how many got the same one.
  CREATE TABLE charged_tickets (
    digest ${bytes} NOT NULL,
    sum_id ${int} NOT NULL,
    times  ${int} NOT NULL,
    PRIMARY KEY (digest, sum_id)
  ) ${keyed};
  -- What an account has spent on requests sent in a quarter of an hour, and what it may still be charged for them, at the
  -- highest price. Outlives the enrichments.
  CREATE TABLE spending (
    account  TEXT NOT NULL,
    quarter  ${int} NOT NULL,
    spent    ${int} NOT NULL,
    reserved ${int} NOT NULL,
    PRIMARY KEY (account, quarter)
  ) ${keyed};
  -- The most that all jobs together may spend of an account, in thousandths; null for no cap.
  CREATE TABLE caps (
    account  TEXT PRIMARY KEY,
    day      ${int},
    month    ${int},
    timezone TEXT NOT NULL,
    -- JSON: the account's name, and the caps that were stated in money.
    told     TEXT NOT NULL
  ) ${keyed};
  -- Where pruning a little at a time has come to; 0: it begins anew.
  CREATE TABLE pruning (
    id            ${int} PRIMARY KEY CHECK (id = 1),
    enrichment_id ${int} NOT NULL DEFAULT 0,
    delivery_id   ${int} NOT NULL DEFAULT 0
  ) ${numbered};
  -- What the state took, in bytes, once a day while there are runs.
  CREATE TABLE sizes (noted_at ${int} PRIMARY KEY, bytes ${int} NOT NULL) ${numbered};
`;
}
