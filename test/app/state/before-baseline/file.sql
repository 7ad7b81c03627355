PRAGMA application_id = 1399616873;
PRAGMA user_version = 32;
CREATE TABLE holders (
    job   TEXT PRIMARY KEY,
    pid   INTEGER NOT NULL,
    host  TEXT NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;
CREATE TABLE results (
    enrichment_id INTEGER PRIMARY KEY REFERENCES enrichments (id),
    body          TEXT NOT NULL
  , packed BLOB) STRICT;
CREATE TABLE rejects (
    id     INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id),
    source INTEGER NOT NULL,
    line   INTEGER NOT NULL,
    reason TEXT NOT NULL,
    raw    TEXT NOT NULL,
    UNIQUE (run_id, source, line)
  ) STRICT;
CREATE TABLE "runs" (
    id           INTEGER PRIMARY KEY,
    job          TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('reading', 'working', 'finished', 'replaced', 'cancelled')),
    plan         TEXT NOT NULL,
    columns      TEXT NOT NULL DEFAULT '[]',
    lead_count   INTEGER NOT NULL DEFAULT 0,
    reject_count INTEGER NOT NULL DEFAULT 0,
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER
  , mapping TEXT NOT NULL DEFAULT '[]', pruned_at INTEGER
    CHECK (pruned_at IS NULL OR state NOT IN ('reading', 'working')), least_enrichment INTEGER, task TEXT, parked TEXT) STRICT;
CREATE TABLE signing_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
  ) STRICT;
CREATE TABLE pending_deliveries (
    scope       TEXT NOT NULL,
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id),
    PRIMARY KEY (scope, delivery_id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE unknown_tickets (
    ticket      TEXT NOT NULL,
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id),
    PRIMARY KEY (ticket, delivery_id)
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE pauses (
    job   TEXT PRIMARY KEY,
    since INTEGER NOT NULL
  ) STRICT;
CREATE TABLE "enrichments" (
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
    thousandths      INTEGER NOT NULL DEFAULT 0 CHECK (thousandths >= 0),
    submitted_at INTEGER,
    poll_at      INTEGER,
    poll_count   INTEGER NOT NULL DEFAULT 0,
    was_empty    INTEGER NOT NULL DEFAULT 0,
    deadline_at  INTEGER,
    settled_at   INTEGER,
    send_count   INTEGER NOT NULL DEFAULT 0,
    lost_sends   INTEGER NOT NULL DEFAULT 0, older_answer INTEGER, predecessor INTEGER, answered_at INTEGER, call_id INTEGER, wanted TEXT, ticket_digest INTEGER, home INTEGER, is_followed INTEGER NOT NULL DEFAULT 1, believed INTEGER, served_by INTEGER, serves INTEGER NOT NULL DEFAULT 0,
    CHECK (state = 'queued' OR submitted_at IS NOT NULL),
    CHECK (state <> 'awaiting' OR (ticket IS NOT NULL AND poll_at IS NOT NULL AND deadline_at IS NOT NULL)),
    CHECK (reason IS NOT NULL OR (state <> 'failed' AND state <> 'timed_out' AND state <> 'uncertain')),
    CHECK ((state = 'found' OR state = 'not_found' OR state = 'failed' OR state = 'timed_out')
           = (settled_at IS NOT NULL))
  ) STRICT;
CREATE TABLE done_files (
    job     TEXT NOT NULL,
    terms   TEXT NOT NULL,
    digest  TEXT NOT NULL,
    run_id  INTEGER NOT NULL,
    done_at INTEGER NOT NULL,
    PRIMARY KEY (job, terms, digest)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE unread_answers (
    enrichment_id INTEGER PRIMARY KEY REFERENCES enrichments (id),
    body          TEXT NOT NULL
  ) STRICT;
CREATE TABLE unread_deliveries (
    delivery_id INTEGER PRIMARY KEY REFERENCES deliveries (id)
  ) STRICT;
CREATE TABLE readings (
    account TEXT NOT NULL,
    dialect TEXT NOT NULL,
    ask     TEXT NOT NULL,
    PRIMARY KEY (account, dialect, ask)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE read_files (
    path       TEXT NOT NULL,
    from_state TEXT,
    role       TEXT NOT NULL,
    job        TEXT NOT NULL,
    run_id     INTEGER NOT NULL,
    PRIMARY KEY (path, role, job)
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE delivery_keys (
    id     INTEGER PRIMARY KEY,
    bytes  INTEGER NOT NULL,
    unkept INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE fresh_for (
    job        TEXT PRIMARY KEY,
    longest_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE series (
    run_id     INTEGER PRIMARY KEY REFERENCES runs (id),
    width_ms   INTEGER NOT NULL,
    histograms TEXT NOT NULL
  ) STRICT;
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
CREATE TABLE hashed_files (
    job      TEXT NOT NULL,
    path     TEXT NOT NULL,
    look     TEXT NOT NULL,
    digest   TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (job, path)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE lead_cells (
    run_id         INTEGER NOT NULL REFERENCES runs (id),
    first_position INTEGER NOT NULL,
    cells          ANY NOT NULL,
    PRIMARY KEY (run_id, first_position)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE "leads" (
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
CREATE TABLE pruning (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    enrichment_id INTEGER NOT NULL DEFAULT 0,
    delivery_id   INTEGER NOT NULL DEFAULT 0
  ) STRICT;
CREATE TABLE sizes (
    noted_at INTEGER PRIMARY KEY,
    bytes    INTEGER NOT NULL
  ) STRICT;
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
CREATE TABLE followers (
    enrichment_id INTEGER NOT NULL,
    run_id        INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    PRIMARY KEY (enrichment_id, run_id, position)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE "deliveries" (
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
CREATE TABLE delivery_bodies (
    delivery_id INTEGER PRIMARY KEY REFERENCES deliveries (id),
    body        TEXT NOT NULL
  ) STRICT;
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
CREATE TABLE limits (
    account TEXT PRIMARY KEY,
    state   TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE "empty_answers" (
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
CREATE TABLE asked (
    ask TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
CREATE TABLE schedules (
    job      TEXT PRIMARY KEY,
    pattern  TEXT NOT NULL,
    timezone TEXT NOT NULL,
    catch_up TEXT NOT NULL,
    -- One that has come stays until its run is read, or it has passed.
    next_at  INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE samples (
    job   TEXT NOT NULL,
    seed  INTEGER NOT NULL,
    leads TEXT NOT NULL,
    PRIMARY KEY (job, seed)
  ) STRICT, WITHOUT ROWID;
INSERT INTO results (enrichment_id, body, packed) VALUES (1, '', X'01036BACCA3FBCDA21B52211D43E81A44E882AA84551F987572B21DB1CA39459A25E1CA3A41013A3F061FEB22E85D4338D0A8F1A56281C9E3F0A4721F5A11246EA4787A01C0300');
INSERT INTO results (enrichment_id, body, packed) VALUES (2, '[1]', NULL);
INSERT INTO results (enrichment_id, body, packed) VALUES (4, '[1,["ada@example.com",1]]', NULL);
INSERT INTO results (enrichment_id, body, packed) VALUES (6, '[1,["ada@example.com",1]]', NULL);
INSERT INTO results (enrichment_id, body, packed) VALUES (9, '', X'01036BACCA3FBCDA21B52211D43E81A44E882AA84551F987572B21DB1CA39459A25E1CA3A41013A3F061FEB22E85D4338D0A8F1A56281C9E3F0A4721F5A11246EA4787A01C0300');
INSERT INTO results (enrichment_id, body, packed) VALUES (10, '[1]', NULL);
INSERT INTO results (enrichment_id, body, packed) VALUES (12, '[1,["ada@example.com",1]]', NULL);
INSERT INTO results (enrichment_id, body, packed) VALUES (14, '[1,["ada@example.com",1]]', NULL);
INSERT INTO results (enrichment_id, body, packed) VALUES (19, '', X'018B36041B805F17B86005DBE3082E627DF2CB527312412504441056111AE8287924162B9417659694A4E6299467249628E4421AB9C50AB989950A29F97A0AA32A0642851222A24025BE5F3EA41E85B4248A157C4A5294305218024647471B6055AC945A91086AD542CA3494E409C9ADB1C8B90A9C9011C94509AB2B50D4430000');
INSERT INTO results (enrichment_id, body, packed) VALUES (20, '', X'018B36041B805F17B86005DBE3082E627DF2CB527312412504441056111AE8287924162B9417659694A4E6299467249628E4421AB9C50AB989950A29F97A0AA32A0642851222A24025BE5F3EA41E85B4248A157C4A5294305218024647471B6055AC945A91086AD542CA3494E409C9ADB1C8B90A9C9011C94509AB2B50D4430000');
INSERT INTO results (enrichment_id, body, packed) VALUES (21, '', X'018B36041B805F17B86005DBE3082E627DF2CB527312412504441056111AE8287924162B9417659694A4E6299467249628E4421AB9C50AB989950A29F97A0AA32A0642851222A24025BE5F3EA41E85B4248A157C4A5294305218024647471B6055AC945A91086AD542CA3494E409C9ADB1C8B90A9C9011C94509AB2B50D4430000');
INSERT INTO results (enrichment_id, body, packed) VALUES (22, '', X'018B36041B805F17B86005DBE3082E627DF2CB527312412504441056111AE8287924162B9417659694A4E6299467249628E4421AB9C50AB989950A29F97A0AA32A0642851222A24025BE5F3EA41E85B4248A157C4A5294305218024647471B6055AC945A91086AD542CA3494E409C9ADB1C8B90A9C9011C94509AB2B50D4430000');
INSERT INTO results (enrichment_id, body, packed) VALUES (23, '', X'018B36041B805F17B86005DBE3082E627DF2CB527312412504441056111AE8287924162B9417659694A4E6299467249628E4421AB9C50AB989950A29F97A0AA32A0642851222A24025BE5F3EA41E85B4248A157C4A5294305218024647471B6055AC945A91086AD542CA3494E409C9ADB1C8B90A9C9011C94509AB2B50D4430000');
INSERT INTO results (enrichment_id, body, packed) VALUES (24, '', X'018B36041B805F17B86005DBE3082E627DF2CB527312412504441056111AE8287924162B9417659694A4E6299467249628E4421AB9C50AB989950A29F97A0AA32A0642851222A24025BE5F3EA41E85B4248A157C4A5294305218024647471B6055AC945A91086AD542CA3494E409C9ADB1C8B90A9C9011C94509AB2B50D4430000');
INSERT INTO results (enrichment_id, body, packed) VALUES (25, '[1]', NULL);
INSERT INTO rejects (id, run_id, source, line, reason, raw) VALUES (1, 1, 0, 9, 'quotes', CAST(X'612C226200226974277322205C20F09FA68A2065CC8120E280A820C39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39F' AS TEXT));
INSERT INTO rejects (id, run_id, source, line, reason, raw) VALUES (2, 2, 0, 9, 'quotes', CAST(X'612C226200226974277322205C20F09FA68A2065CC8120E280A820C39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39FC39F' AS TEXT));
INSERT INTO runs (id, job, state, plan, columns, lead_count, reject_count, started_at, ended_at, mapping, pruned_at, least_enrichment, task, parked) VALUES (1, 'nightly', 'finished', '{"job":"nightly","account":"acc","ask":["find_email"],"terms":"t1","signature":"s1","sources":["leads.csv"],"output":{"out":"out.csv","positions":"current","bom":false,"excel":false,"formulaGuard":true}}', '[{"key":"name","name":"name"}]', 13, 1, 1700000000000, 1700000004000, '[]', NULL, NULL, NULL, NULL);
INSERT INTO runs (id, job, state, plan, columns, lead_count, reject_count, started_at, ended_at, mapping, pruned_at, least_enrichment, task, parked) VALUES (2, 'hourly', 'finished', '{"job":"hourly","account":"acc","ask":["find_email"],"terms":"t1","signature":"s1","sources":["leads.csv"],"output":{"out":"out.csv","positions":"current","bom":false,"excel":false,"formulaGuard":true},"digests":["d1"],"freshForMs":90000}', '[{"key":"name","name":"name"}]', 13, 1, 1700000000000, 1700000004000, '[]', NULL, NULL, NULL, NULL);
INSERT INTO runs (id, job, state, plan, columns, lead_count, reject_count, started_at, ended_at, mapping, pruned_at, least_enrichment, task, parked) VALUES (3, 'open', 'reading', '{"job":"open","account":"acc","ask":["find_email"],"terms":"t1","signature":"s1","sources":["leads.csv"],"output":{"out":"out.csv","positions":"current","bom":false,"excel":false,"formulaGuard":true}}', '[{"key":"name","name":"name"}]', 2, 0, 1700000005000, NULL, '[]', NULL, NULL, NULL, NULL);
INSERT INTO runs (id, job, state, plan, columns, lead_count, reject_count, started_at, ended_at, mapping, pruned_at, least_enrichment, task, parked) VALUES (4, 'former', 'finished', '{"job":"former","account":"acc","ask":["find_email"],"terms":"t1","signature":"s1","sources":["leads.csv"],"output":{"out":"out.csv","positions":"current","bom":false,"excel":false,"formulaGuard":true}}', '[{"key":"name","name":"name"}]', 6, 0, 1700000010000, 1700000011000, '[]', NULL, NULL, NULL, NULL);
INSERT INTO runs (id, job, state, plan, columns, lead_count, reject_count, started_at, ended_at, mapping, pruned_at, least_enrichment, task, parked) VALUES (5, 'present', 'cancelled', '{"job":"present","account":"acc","ask":["find_email"],"terms":"t1","signature":"s1","sources":["leads.csv"],"output":{"out":"out.csv","positions":"current","bom":false,"excel":false,"formulaGuard":true}}', '[{"key":"name","name":"name"}]', 2, 0, 1700000012000, 1700000013000, '[]', NULL, NULL, NULL, NULL);
INSERT INTO signing_key (id, key) VALUES (1, X'2AA749FABE796DC731DC345CA97BFB8B3882B8F61FAF4BCB4BF4F4E460942AEF');
INSERT INTO pending_deliveries (scope, delivery_id) VALUES ('acc', 5);
INSERT INTO pending_deliveries (scope, delivery_id) VALUES ('acc', 10);
INSERT INTO unknown_tickets (ticket, delivery_id) VALUES ('strange hourly', 7);
INSERT INTO unknown_tickets (ticket, delivery_id) VALUES ('strange hourly', 8);
INSERT INTO unknown_tickets (ticket, delivery_id) VALUES ('strange nightly', 2);
INSERT INTO unknown_tickets (ticket, delivery_id) VALUES ('strange nightly', 3);
INSERT INTO lists (id, run_id, name, state, list_id, reason, position, added, already_in) VALUES (1, 1, 'list of nightly', 'created', 'l1', NULL, 0, 0, 0);
INSERT INTO lists (id, run_id, name, state, list_id, reason, position, added, already_in) VALUES (2, 2, 'list of hourly', 'created', 'l1', NULL, 0, 0, 0);
INSERT INTO seen_fields (account, seen_at, fields) VALUES ('acc', 1700000000000, '{"version":1,"fields":[]}');
INSERT INTO events (id, scope, event_id, type, happened_at, received_at, body) VALUES (1, 'acc', 'act nightly', 'emailsSent', 1700000000000, 1700000000000, '{"_id":"act nightly","odd":"\"it''s\" \\ 🦊 é   ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß"}');
INSERT INTO events (id, scope, event_id, type, happened_at, received_at, body) VALUES (2, 'acc', 'act hourly', 'emailsSent', 1700000000000, 1700000000000, '{"_id":"act hourly","odd":"\"it''s\" \\ 🦊 é   ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß"}');
INSERT INTO pauses (job, since) VALUES ('open', 1700000000000);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (1, X'F8A0DA52D14FC0D8E7F59074022B0F51', 1, 1, 1, 'found', 'e', '["nightly found",null,"example.com"]', 'enr_1', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -44109524, 1, 1, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (2, X'45F6891F1B34E50F9567AE9E5F1B1B5E', 1, 1, 1, 'not_found', 'e', '["nightly not_found",null,"example.com"]', 'enr_2', NULL, 250, 1700000000000, NULL, 0, 3, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 6223333, 1, 0, 1, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (3, X'2D322959A991252DB732A5A1A91A842D', 1, 1, 1, 'failed', 'e', '["nightly failed",null,"example.com"]', 'enr_3', '"it''s" \ 🦊 é   ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß', 0, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -10554286, 1, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (4, X'FA07EF34B5F20D0E0F003CAAE240F6E0', 1, 1, 1, 'found', 'e', '["nightly timed_out",null,"example.com"]', 'enr_4', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -94442381, 1, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (5, X'4C8AF029C0EF478F4CBD86065A8EAB07', 1, 1, 1, 'uncertain', 'e', '["nightly uncertain",null,"example.com"]', NULL, 'reset', 0, 1700000000000, NULL, 0, 0, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (6, X'4CBDB16700A742D836DD3BBE58E62211', 1, 1, 1, 'found', 'e', '["nightly awaiting",null,"example.com"]', 'enr_6', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -60887143, 1, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (7, X'411FC6C7A36216AC4D5A6D6C1D6CB589', 1, 1, 1, 'awaiting', 'e', '["nightly unread",null,"example.com"]', 'enr_7', 'unread', 0, 1700000000000, 8640000000000000, 0, 0, 1700000060000, NULL, 1, 0, NULL, NULL, NULL, 0, NULL, -77664762, 1, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (8, X'578511A4458A9A4FD4A4EE394B2972DE', 1, 1, 1, 'failed', 'e', '["nightly refused",null,"example.com"]', NULL, 'no such domain', 0, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (9, X'8E9AF5E448A02DE364E3E57936085B7C', 1, 2, 2, 'found', 'e', '["of two jobs",null,"example.com"]', 'enr_9', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 90111428, 1, 1, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (10, X'274DE403EBFF935E1ABF114053D44809', 1, 2, 2, 'not_found', 'e', '["hourly found",null,"example.com"]', 'enr_10', NULL, 250, 1700000000000, NULL, 0, 3, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -126513388, 2, 1, 1, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (11, X'BFB9A2C37347B23CFB5FA456908D3CDE', 1, 2, 2, 'failed', 'e', '["hourly not_found",null,"example.com"]', 'enr_11', '"it''s" \ 🦊 é   ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß', 0, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -109735769, 2, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (12, X'6887AF1BB293AA4AAAAFCD1A96249944', 1, 2, 2, 'found', 'e', '["hourly failed",null,"example.com"]', 'enr_12', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -92958150, 2, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (13, X'09453DBD12E43583052227AC70FA70BA', 1, 2, 2, 'uncertain', 'e', '["hourly timed_out",null,"example.com"]', NULL, 'reset', 0, 1700000000000, NULL, 0, 0, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, 2, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (14, X'933603FDE07E0354950FE5151E58C73D', 1, 2, 2, 'found', 'e', '["hourly uncertain",null,"example.com"]', 'enr_14', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -193623864, 2, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (15, X'76A6733BFD0E44E13481DC99BDA67604', 1, 2, 2, 'awaiting', 'e', '["hourly awaiting",null,"example.com"]', 'enr_15', 'unread', 0, 1700000000000, 8640000000000000, 0, 0, 1700000060000, NULL, 1, 0, NULL, NULL, NULL, 0, NULL, -176846245, 2, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (16, X'4176317AE076454E78926E7701789CAA', 1, 2, 2, 'failed', 'e', '["hourly unread",null,"example.com"]', NULL, 'no such domain', 0, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, 2, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (17, X'16C478D337F4C9FD76BD664D1C1C1071', 1, 2, NULL, 'queued', 'e', '["hourly refused",null,"example.com"]', NULL, NULL, 0, NULL, NULL, 0, 0, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 2, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (18, X'089001A35679A33EF3DB0CA350DB9B9A', 1, 3, 3, 'submitting', 'e', '["late",null,"example.com"]', NULL, NULL, 0, 1700000000000, NULL, 0, 0, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, 3, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (19, X'8BA1D58E30942E7C3BFCBA4E3DAA2179', 1, 4, 4, 'found', 'e', '["Sean","O’Brien","example.com"]', 'enr_19', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, -243956721, 4, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (20, X'1369C391A2A502A54B9A2FB4D255DBBB', 1, 4, 4, 'found', 'e', '["Ｚoe","Ray","example.com"]', 'enr_20', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 1786576463, 4, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (21, X'8CC685BA7CE35439572BB04E5D6FD913', 1, 4, 4, 'found', 'e', '["Ann","D’Arc","example.com"]', 'enr_21', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 1769798844, 4, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (22, X'052BF398CD7F487B397F421E5AB1F323', 1, 4, 4, 'found', 'e', '["Bob","Roe","linkedin.com"]', 'enr_22', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 1820131701, 4, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (23, X'4973BD4BD56B506301DFCBEDE12CE946', 1, 4, 4, 'found', 'e', '[null,null,"linkedin.com",null,"cyd@example.com"]', 'enr_23', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 1803354082, 4, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (24, X'22B1CB781330004D027393DD4EC83028', 1, 4, 4, 'found', 'e', '["Eve","Doe","example.com"]', 'enr_24', NULL, 5000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 1719465987, 4, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (25, X'59B2DFFFE6F251F75742081243E13CE2', 1, 5, 5, 'not_found', 'e', '["Ｚoe","Ray","example.com"]', 'enr_25', NULL, 1000, 1700000000000, NULL, 0, 0, NULL, 1700000000000, 1, 0, NULL, NULL, NULL, 0, NULL, 1702688368, 5, 0, NULL, NULL, 0);
INSERT INTO enrichments (id, fingerprint, is_current, run_id, paid_by, state, ask, inputs, ticket, reason, thousandths, submitted_at, poll_at, poll_count, was_empty, deadline_at, settled_at, send_count, lost_sends, older_answer, predecessor, answered_at, call_id, wanted, ticket_digest, home, is_followed, believed, served_by, serves) VALUES (26, X'A45C49C56E153E303E45DB0CF0DB0D33', 1, 5, NULL, 'queued', 'e', '["Ann","D’Arc","example.com"]', NULL, NULL, 0, NULL, NULL, 0, 0, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 5, 0, NULL, NULL, 0);
INSERT INTO done_files (job, terms, digest, run_id, done_at) VALUES ('hourly', 't1', 'd1', 2, 1700000004000);
INSERT INTO unread_answers (enrichment_id, body) VALUES (7, '{"odd":"\u0000"}');
INSERT INTO unread_answers (enrichment_id, body) VALUES (15, '{"odd":"\u0000"}');
INSERT INTO unread_deliveries (delivery_id) VALUES (4);
INSERT INTO unread_deliveries (delivery_id) VALUES (9);
INSERT INTO readings (account, dialect, ask) VALUES ('acc', 'd', 'find_email');
INSERT INTO read_files (path, from_state, role, job, run_id) VALUES ('/in/leads.csv', '../../../../in/leads.csv', 'input', 'open', 3);
INSERT INTO written_files (path, from_state, role, job, run_id, size, modified_at) VALUES ('/out/out.csv', '../../../../out/out.csv', 'table', 'open', 3, 7, 1700000000000);
INSERT INTO delivery_keys (id, bytes, unkept) VALUES (6, 115, 0);
INSERT INTO delivery_keys (id, bytes, unkept) VALUES (14, 114, 0);
INSERT INTO fresh_for (job, longest_ms) VALUES ('hourly', 90000);
INSERT INTO series (run_id, width_ms, histograms) VALUES (1, 1000, '{"polled":[3],"delivered":[2],"polls":[2,3],"http":[]}');
INSERT INTO series (run_id, width_ms, histograms) VALUES (2, 1000, '{"polled":[3],"delivered":[2],"polls":[2,3],"http":[]}');
INSERT INTO series (run_id, width_ms, histograms) VALUES (3, 1000, '{"polled":[],"delivered":[],"polls":[],"http":[1,2]}');
INSERT INTO series (run_id, width_ms, histograms) VALUES (4, 1000, '{"polled":[6],"delivered":[],"polls":[0,6],"http":[]}');
INSERT INTO schedules (job, pattern, timezone, catch_up, next_at) VALUES ('nightly', '0 2 * * *', 'Europe/Vienna', 'one', 1700000000000);
INSERT INTO samples (job, seed, leads) VALUES ('open', 1, '["0a1b","ff00"]');
INSERT INTO series (run_id, width_ms, histograms) VALUES (5, 1000, '{"polled":[1],"delivered":[],"polls":[0,1],"http":[]}');
INSERT INTO series_buckets (run_id, at, leads, known, to_pay, on_their_way, accepted, found, not_found, failed, polled, delivered, thousandths, in_vain, submits, polls, others, peak, throttled, paused_ms) VALUES (1, 1700000000000, 12, 0, 9, 0, 6, 3, 1, 2, 3, 2, 15250, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO series_buckets (run_id, at, leads, known, to_pay, on_their_way, accepted, found, not_found, failed, polled, delivered, thousandths, in_vain, submits, polls, others, peak, throttled, paused_ms) VALUES (2, 1700000000000, 12, 0, 9, 0, 6, 3, 1, 2, 3, 2, 15250, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO series_buckets (run_id, at, leads, known, to_pay, on_their_way, accepted, found, not_found, failed, polled, delivered, thousandths, in_vain, submits, polls, others, peak, throttled, paused_ms) VALUES (3, 1700000000000, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 2, 0, 0);
INSERT INTO series_buckets (run_id, at, leads, known, to_pay, on_their_way, accepted, found, not_found, failed, polled, delivered, thousandths, in_vain, submits, polls, others, peak, throttled, paused_ms) VALUES (4, 1700000000000, 6, 0, 6, 0, 6, 6, 0, 0, 6, 0, 30000, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO series_buckets (run_id, at, leads, known, to_pay, on_their_way, accepted, found, not_found, failed, polled, delivered, thousandths, in_vain, submits, polls, others, peak, throttled, paused_ms) VALUES (5, 1700000000000, 2, 0, 2, 0, 1, 0, 1, 0, 1, 0, 1000, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO hashed_files (job, path, look, digest, noted_at) VALUES ('hourly', '/drop/a.csv', 'l', 'd1', 1700000000000);
INSERT INTO lead_cells (run_id, first_position, cells) VALUES (1, 1, X'ED94310AC2301486AF12FEC52543EAD8AB24A1049BD6407D85360F2D22E8EA25BA89F770F5149EC02338D6ECE214DEF68D1FFFFBB40685761BBB49343D530D2B17427DAC166A10E26A3410C688F77CBB0AFFBC88D7F92E1E73BE6CE0F706207130AC945213E4116B94C45D27512894BA90C883CC8FF75703B0A7EF3CC6B0F375D5734CA2C9B4F143748112EAF62EC4406D029906EFD2E40EBEE1D1D7B0F603');
INSERT INTO lead_cells (run_id, first_position, cells) VALUES (1, 10, X'8B8E56AA508AD581917999E9192539950A69F9A5792960F1FC348592F27C85ACFCA462A5D85800');
INSERT INTO lead_cells (run_id, first_position, cells) VALUES (2, 1, X'ED94310A02311045AF127E6393226BB957D98425B8590DAC13C8665011415B2FB19D780F5B4FE1093C829DC65EACC274AF7CFC794D8355E038EC441F983A18F9061452FB811A3ECD460DA1B5784E97B370F793781CAFE236952B067E6F00125BCD4A29B583DC638E9A7818242A85BAA924CA20CBE3FDD500CC21AB63F26BD7B581539E4CA6858BC97ACAA1DD589F3C2D73C6149DFDAA6D743D8FAE83312F');
INSERT INTO lead_cells (run_id, first_position, cells) VALUES (2, 10, X'8B8E56AA508AD5819119F9A54539950A69F9A5792960E1FC348592F27C85ACFCA462A5D85800');
INSERT INTO lead_cells (run_id, first_position, cells) VALUES (3, 1, X'8B8E56CACB4CCF28C9A95448CB2FCD4B518AD58956CA492C49558A8D0500');
INSERT INTO lead_cells (run_id, first_position, cells) VALUES (4, 1, X'8B8E562A4ACD4BCC4D4D51D2514ACB2FCA4D2D528AD589562A29CF4C4E45152A4FCC2CC9CC4B47152CCE482C42D79B9B9899832E569093989987A4351600');
INSERT INTO lead_cells (run_id, first_position, cells) VALUES (5, 1, X'8B8E562A29CF4C4E55D2512A284A2D4ECD2B518AD589562A4FCC2CC9CC4B47168D0500');
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 1, 0, 2, NULL, 1, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 2, 0, 3, NULL, 2, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 3, 0, 4, NULL, 3, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 4, 0, 5, NULL, 4, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 5, 0, 6, NULL, 5, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 6, 0, 7, NULL, 6, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 7, 0, 8, NULL, 7, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 8, 0, 9, NULL, 8, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 10, 0, 11, 'no input', NULL, 0, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 11, 0, 12, 'not chosen', NULL, 0, 1);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 12, 0, 13, NULL, 1, 0, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (1, 13, 0, 14, NULL, 9, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 1, 0, 2, NULL, 10, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 2, 0, 3, NULL, 11, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 3, 0, 4, NULL, 12, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 4, 0, 5, NULL, 13, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 5, 0, 6, NULL, 14, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 6, 0, 7, NULL, 15, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 7, 0, 8, NULL, 16, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 8, 0, 9, NULL, 17, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 10, 0, 11, 'no input', NULL, 0, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 11, 0, 12, 'not chosen', NULL, 0, 1);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 12, 0, 13, NULL, 10, 0, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (2, 13, 0, 14, NULL, 9, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (3, 1, 0, 2, NULL, 1, 0, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (3, 2, 0, 3, NULL, 18, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (4, 1, 0, 2, NULL, 19, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (4, 2, 0, 3, NULL, 20, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (4, 3, 0, 4, NULL, 21, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (4, 4, 0, 5, NULL, 22, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (4, 5, 0, 6, NULL, 23, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (4, 6, 0, 7, NULL, 24, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (5, 1, 0, 2, NULL, 25, 1, 0);
INSERT INTO leads (run_id, position, source, line, note, enrichment_id, is_first, not_asked) VALUES (5, 2, 0, 3, NULL, 26, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'awaiting', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'awaiting', '', 'unread', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'distinct', '', '', 0, 9, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'failed', '', '"it''s" \ 🦊 é   ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'failed', '', 'no such domain', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'found', '', '', 0, 3, 15000);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'found', '', '', 1, 2, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'not_asked', '', 'not chosen', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'not_found', '', '', 0, 1, 250);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'queued', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'skipped', '', 'no input', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'submitting', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'timed_out', '', 'no answer', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (1, 'uncertain', '', 'reset', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'awaiting', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'awaiting', '', 'unread', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'distinct', '', '', 0, 9, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'failed', '', '"it''s" \ 🦊 é   ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßß', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'failed', '', 'no such domain', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'found', '', '', 0, 3, 15000);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'not_asked', '', 'not chosen', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'not_found', '', '', 0, 1, 250);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'not_found', '', '', 1, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'queued', '', '', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'skipped', '', 'no input', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'submitting', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'timed_out', '', 'no answer', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (2, 'uncertain', '', 'reset', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (3, 'found', '', '', 1, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (3, 'queued', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (3, 'submitting', '', '', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (4, 'awaiting', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (4, 'distinct', '', '', 0, 6, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (4, 'found', '', '', 0, 6, 30000);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (4, 'queued', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (4, 'submitting', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (5, 'awaiting', '', '', 0, 0, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (5, 'not_found', '', '', 0, 1, 1000);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (5, 'queued', '', '', 0, 1, 0);
INSERT INTO run_counts (run_id, status, again, reason, cached, n, thousandths) VALUES (5, 'submitting', '', '', 0, 0, 0);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (1, 'acc', 4, NULL, 1700000000000, 1, 172699823922331, X'8D9111D0530A240304A8', 1700000000000, 1, 0, 0, NULL);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (2, 'acc', NULL, NULL, 1700000000000, 1, 78842497721737, X'3302374F48A03A5A9773', 1700000000000, 1, 0, 1, ' 6 ');
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (3, 'acc', NULL, NULL, 1700000000000, 1, 224769962155976, X'4D73C3D7F7526D2C941F', 1700000000000, 0, 0, 1, NULL);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (4, 'acc', NULL, NULL, 1700000000000, 1, 17950797792117, X'2A3FF85094050C502FB6', 1700000000000, 0, 1, 0, NULL);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (5, 'acc', 6, NULL, 1700000000000, 1, 221539848931986, X'3D3F618DDB72E04B67B7', NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (6, 'acc', 12, NULL, 1700000000000, 1, 158813287554310, X'9BD086220F2B6767F3C5', 1700000000000, 1, 0, 0, NULL);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (7, 'acc', NULL, NULL, 1700000000000, 1, 146655395525070, X'39E15F48858CC0D117CA', 1700000000000, 1, 0, 1, ' 14 ');
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (8, 'acc', NULL, NULL, 1700000000000, 1, 125195569240565, X'8AA5FFD43D0E936C381F', 1700000000000, 0, 0, 1, NULL);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (9, 'acc', NULL, NULL, 1700000000000, 1, 163759727060777, X'4151728E1BEC5D8F3ACB', 1700000000000, 0, 1, 0, NULL);
INSERT INTO deliveries (id, scope, enrichment_id, call_id, received_at, times, digest, digest_rest, handled_at, settled, unchanged, unknown, also_settled) VALUES (10, 'acc', 14, NULL, 1700000000000, 1, 97989390591868, X'48E9F8D81E0839C996FF', NULL, NULL, NULL, NULL, NULL);
INSERT INTO delivery_bodies (delivery_id, body) VALUES (2, 'settles and more nightly');
INSERT INTO delivery_bodies (delivery_id, body) VALUES (3, 'unknown nightly');
INSERT INTO delivery_bodies (delivery_id, body) VALUES (4, 'unread nightly');
INSERT INTO delivery_bodies (delivery_id, body) VALUES (5, 'pending nightly');
INSERT INTO delivery_bodies (delivery_id, body) VALUES (7, 'settles and more hourly');
INSERT INTO delivery_bodies (delivery_id, body) VALUES (8, 'unknown hourly');
INSERT INTO delivery_bodies (delivery_id, body) VALUES (9, 'unread hourly');
INSERT INTO delivery_bodies (delivery_id, body) VALUES (10, 'pending hourly');
INSERT INTO empty_answers (account, dialect, kind, confirmed, id) VALUES ('acc', 'd', 'late', 2, 1);
INSERT INTO asked (ask) VALUES ('e');
CREATE INDEX runs_of_job ON runs (job);
CREATE INDEX disturbances ON events (happened_at)
    WHERE type IN ('sendLimitReached', 'connectionIssue');
CREATE UNIQUE INDEX one_payment ON enrichments (fingerprint) WHERE is_current = 1;
CREATE INDEX open_work ON enrichments (run_id, state, poll_at)
    WHERE state = 'queued' OR state = 'submitting' OR state = 'awaiting';
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
CREATE INDEX asked_for_less ON enrichments (fingerprint) WHERE wanted IS NOT NULL;
CREATE INDEX runs_of_account ON runs (json_extract(plan, '$.account'));
CREATE INDEX tickets ON enrichments (ticket_digest) WHERE ticket_digest IS NOT NULL;
CREATE INDEX shown_instead ON enrichments (older_answer)
    WHERE older_answer IS NOT NULL AND state <> 'found' AND state <> 'not_found';
CREATE INDEX counted_instead ON enrichments (predecessor)
    WHERE predecessor IS NOT NULL AND (state = 'queued' OR state = 'failed');
CREATE INDEX deliveries_by_digest ON deliveries (digest) WHERE digest IS NOT NULL;
CREATE INDEX runs_with_task ON runs (id) WHERE task IS NOT NULL;
CREATE INDEX believed_misses ON enrichments (run_id) WHERE believed IS NOT NULL;
CREATE INDEX served ON enrichments (served_by) WHERE served_by IS NOT NULL;
