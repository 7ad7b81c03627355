// The tables of runs, leads, enrichments and results. Qualified names keep the columns of a table with its own key
// apart from equal names elsewhere.
import { type EnrichmentState, listArrows, STATES } from '../../model/enrichment/arrows.js';
import { type DatabaseKind, WORDS } from './words.js';

export function workTables(kind: DatabaseKind): string {
  const { bytes, flag, id, int, keyed, no, numbered, oftenChanged, yes } = WORDS[kind];
  return `
  CREATE TABLE runs (
    id           ${id},
    job          TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('reading', 'working', 'finished', 'replaced', 'cancelled')),
    account      TEXT NOT NULL,
    plan         TEXT NOT NULL,
    columns      TEXT NOT NULL DEFAULT '[]',
    mapping      TEXT NOT NULL DEFAULT '[]',
    lead_count   ${int} NOT NULL DEFAULT 0,
    reject_count ${int} NOT NULL DEFAULT 0,
    started_at   ${int} NOT NULL,
    ended_at     ${int},
    -- The run that holds the leads; only the run of a waterfall's step has one.
    step_of      ${int},
    -- Its leads are gone; the row stays as long as an enrichment refers to it.
    pruned_at    ${int} CHECK (pruned_at IS NULL OR state NOT IN ('reading', 'working')),
    -- JSON: what a worker elsewhere needs to go on with it, and why none does for now. Null once it has ended.
    task         TEXT,
    parked       TEXT,
    -- Nothing of it is left but the row.
    is_cleared   ${flag} NOT NULL DEFAULT ${no}
  ) ${numbered};
  CREATE INDEX runs_of_job ON runs (job, id);
  CREATE INDEX steps_of_runs ON runs (step_of) WHERE step_of IS NOT NULL;
  CREATE INDEX runs_with_task ON runs (id) WHERE task IS NOT NULL;
  CREATE INDEX runs_of_account ON runs (account, id);

  CREATE TABLE enrichments (
    id           ${id},
    fingerprint  ${bytes} NOT NULL,
    -- It counts for its fingerprint.
    is_current   ${flag} NOT NULL DEFAULT ${yes},
    -- The run that works on it now, and the run that sent it last.
    run_id       ${int} NOT NULL,
    paid_by      ${int},
    state        TEXT NOT NULL DEFAULT 'queued' CHECK (${isOneOf(STATES)}),
    -- A letter for each ask, and a JSON array of inputs (src/model/enrichment/stored-request.ts).
    ask          TEXT NOT NULL,
    -- The asks that it is sent for: all but those for which others' answers stand in (stands).
    sent         TEXT NOT NULL,
    inputs       TEXT NOT NULL,
    ticket       TEXT,
    reason       TEXT,
    -- What it cost, in whole thousandths of a credit.
    thousandths  ${int} NOT NULL DEFAULT 0 CHECK (thousandths >= 0),
    -- The most that its last send may cost, and the quarter of an hour to which that counts (spending).
    price_max    ${int} NOT NULL DEFAULT 0,
    counted_at   ${int},
    submitted_at ${int},
    poll_at      ${int},
    poll_count   ${int} NOT NULL DEFAULT 0,
    -- Its first look was empty: the next one decides.
    was_empty    ${flag} NOT NULL DEFAULT ${no},
    deadline_at  ${int},
    settled_at   ${int},
    -- When it was answered not_found, where its ticket is read once more: until then that answer stands.
    answered_at  ${int},
    -- How often it was claimed to be sent: tells what is learnt of one send from what is learnt of the next.
    send_count   ${int} NOT NULL DEFAULT 0,
    -- Sends of its run that were uncertain when it was sent again: each may still be charged.
    lost_sends   ${int} NOT NULL DEFAULT 0,
    -- The last answered enrichment of the same fingerprint: the rows show it while this one has no answer.
    older_answer ${int},
    -- The bulk call that it was accepted in, by the first enrichment of that call; 0: in none.
    call_id      ${int},
    -- Others' values are shown until it has an answer of its own (stands).
    shows_known  ${flag} NOT NULL DEFAULT ${no},
    -- Another one has a key of it: before it is sent, it is looked at once more.
    looks        ${flag} NOT NULL DEFAULT ${no},
    -- The user has it sent again, although it, or another one, may have been accepted, or has failed.
    is_resent    ${flag} NOT NULL DEFAULT ${no},
    -- Its person must not be asked for, nor shown (suppressions).
    suppressed_by ${int},
    CHECK (state = 'queued' OR submitted_at IS NOT NULL),
    CHECK (state <> 'awaiting' OR (ticket IS NOT NULL AND poll_at IS NOT NULL AND deadline_at IS NOT NULL)),
    CHECK (reason IS NOT NULL OR NOT (${isOneOf(['failed', 'timed_out', 'uncertain'])})),
    CHECK ((${isOneOf(['found', 'not_found', 'failed', 'timed_out'])}) = (settled_at IS NOT NULL))
  ) ${numbered}${oftenChanged};
  -- One fingerprint, one payment: the index makes a second one impossible, not merely unlikely.
  CREATE UNIQUE INDEX one_payment ON enrichments (fingerprint) WHERE is_current;
  -- Work left, and nothing else: finished enrichments leave the index.
  CREATE INDEX open_work ON enrichments (run_id, state, poll_at, id)
    WHERE state = 'queued' OR state = 'submitting' OR state = 'awaiting';
  CREATE INDEX tickets ON enrichments (ticket) WHERE ticket IS NOT NULL;
  CREATE INDEX paid_by_run ON enrichments (paid_by) WHERE paid_by IS NOT NULL;
  CREATE INDEX older_answers ON enrichments (older_answer) WHERE older_answer IS NOT NULL;
  CREATE INDEX suppressed_enrichments ON enrichments (suppressed_by) WHERE suppressed_by IS NOT NULL;
  ${TRIGGER[kind]}

  -- The keys by which an enrichment is found again, as digests (model/enrichment/person.ts). ask: the only one that the
  -- key counts for.
  CREATE TABLE keys (
    digest        ${bytes} NOT NULL,
    enrichment_id ${int} NOT NULL,
    ask           TEXT,
    PRIMARY KEY (digest, enrichment_id)
  ) ${keyed};
  CREATE INDEX keys_of_enrichments ON keys (enrichment_id);
  -- From where these asks of an enrichment come, for which it was not sent.
  CREATE TABLE stands (
    enrichment_id ${int} NOT NULL,
    ask           TEXT NOT NULL,
    from_id       ${int} NOT NULL,
    PRIMARY KEY (enrichment_id, ask)
  ) ${keyed};
  CREATE INDEX stands_from ON stands (from_id);
  -- Without the names of its keys; deflated where it is long (enrichments/result-format.ts).
  CREATE TABLE results (
    enrichment_id ${int} PRIMARY KEY,
    body          ${bytes} NOT NULL
  ) ${numbered};
  -- Answers that no dialect has read yet.
  CREATE TABLE unread_answers (
    enrichment_id ${int} PRIMARY KEY,
    body          TEXT NOT NULL
  ) ${numbered};

  -- is_first: the first lead of its run that refers to the enrichment, and pays. not_asked: the user chose others.
  CREATE TABLE leads (
    run_id        ${int} NOT NULL,
    position      ${int} NOT NULL,
    source        ${int} NOT NULL,
    line          ${int} NOT NULL,
    note          TEXT,
    enrichment_id ${int},
    is_first      ${flag} NOT NULL DEFAULT ${no},
    not_asked     ${flag} NOT NULL DEFAULT ${no},
    PRIMARY KEY (run_id, position)
  ) ${keyed};
  CREATE INDEX leads_of_enrichment ON leads (enrichment_id) WHERE enrichment_id IS NOT NULL;
  -- The cells of leads that follow one another (lead-cells.ts).
  CREATE TABLE lead_cells (
    run_id         ${int} NOT NULL,
    first_position ${int} NOT NULL,
    cells          ${bytes} NOT NULL,
    PRIMARY KEY (run_id, first_position)
  ) ${keyed};
  CREATE TABLE rejects (
    id     ${id},
    run_id ${int} NOT NULL,
    source ${int} NOT NULL,
    line   ${int} NOT NULL,
    reason TEXT NOT NULL,
    raw    TEXT NOT NULL,
    UNIQUE (run_id, source, line)
  ) ${numbered};
`;
}

/** A condition without `IN`: for `IN` SQLite builds a list for every row that it writes. */
function isOneOf(states: readonly EnrichmentState[]): string {
  return states.map((state) => `state = '${state}'`).join(' OR ');
}

const ARROWS = ` ${listArrows().join(' ')} `;

/** Repeats the arrows of src/model/enrichment/arrows.ts, so that a bug in the code above cannot write a wrong one. */
const TRIGGER = {
  sqlite: `CREATE TRIGGER arrows BEFORE UPDATE OF state ON enrichments
  WHEN OLD.state <> NEW.state AND instr('${ARROWS}', ' ' || OLD.state || '>' || NEW.state || ' ') = 0
  BEGIN
    SELECT RAISE(ABORT, 'an enrichment cannot move along this arrow');
  END;`,
  postgres: `CREATE FUNCTION refuse_arrow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'an enrichment cannot move along this arrow: % to %', OLD.state, NEW.state;
    END $$;
  CREATE TRIGGER arrows BEFORE UPDATE OF state ON enrichments FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND strpos('${ARROWS}', ' ' || OLD.state || '>' || NEW.state || ' ') = 0)
    EXECUTE FUNCTION refuse_arrow();`,
};
