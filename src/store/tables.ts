// The tables of a state, for copying it: each after those that it refers to. The steps of the schemas say what each
// column means. Facts about the place alone are not copied: locks and leases, the numbers that SQLite counts beside the
// rows, the progress of removing old rows, and the sizes of the state on earlier days.
import type { ArchiveKind, ArchiveTable } from '../ports/store/archive.js';
import { SERIES_COUNTS } from './schema/series-counts.js';

/** The slots that senders hold of each rate limit, in durations relative to a moment, which differs between clocks. */
export const LIMITS: ArchiveTable = {
  name: 'limits',
  key: ['account'],
  columns: { account: 'text', state: 'text' },
};

export const ARCHIVE_TABLES: readonly ArchiveTable[] = [
  {
    name: 'runs',
    key: ['id'],
    columns: {
      id: 'int',
      job: 'text',
      state: 'text',
      account: 'text',
      plan: 'text',
      columns: 'text',
      mapping: 'text',
      lead_count: 'int',
      reject_count: 'int',
      started_at: 'int',
      ended_at: 'int',
      step_of: 'int',
      pruned_at: 'int',
      task: 'text',
      parked: 'text',
      is_cleared: 'bool',
    },
  },
  {
    name: 'enrichments',
    key: ['id'],
    columns: {
      id: 'int',
      fingerprint: 'bytes',
      is_current: 'bool',
      run_id: 'int',
      paid_by: 'int',
      state: 'text',
      ask: 'text',
      inputs: 'text',
      ticket: 'text',
      reason: 'text',
      thousandths: 'int',
      price_max: 'int',
      counted_at: 'int',
      submitted_at: 'int',
      poll_at: 'int',
      poll_count: 'int',
      was_empty: 'bool',
      deadline_at: 'int',
      settled_at: 'int',
      answered_at: 'int',
      send_count: 'int',
      lost_sends: 'int',
      older_answer: 'int',
      predecessor: 'int',
      call_id: 'int',
      served_by: 'int',
      serves: 'bool',
      is_resent: 'bool',
      suppressed_by: 'int',
    },
  },
  { name: 'asked', key: ['ask'], columns: { ask: 'text' } },
  {
    name: 'results',
    key: ['enrichment_id'],
    columns: { enrichment_id: 'int', body: 'bytes' },
    long: 'body',
  },
  {
    name: 'unread_answers',
    key: ['enrichment_id'],
    columns: { enrichment_id: 'int', body: 'text' },
    long: 'body',
  },
  {
    name: 'leads',
    key: ['run_id', 'position'],
    columns: {
      run_id: 'int',
      position: 'int',
      source: 'int',
      line: 'int',
      note: 'text',
      enrichment_id: 'int',
      is_first: 'bool',
      not_asked: 'bool',
    },
  },
  {
    name: 'lead_cells',
    key: ['run_id', 'first_position'],
    columns: { run_id: 'int', first_position: 'int', cells: 'bytes' },
    long: 'cells',
  },
  {
    name: 'rejects',
    key: ['id'],
    columns: { id: 'int', run_id: 'int', source: 'int', line: 'int', reason: 'text', raw: 'text' },
    long: 'raw',
  },
  { name: 'pauses', key: ['job'], columns: { job: 'text', since: 'int' } },
  {
    name: 'samples',
    key: ['job', 'seed'],
    columns: { job: 'text', seed: 'int', leads: 'text' },
    long: 'leads',
  },
  {
    name: 'schedules',
    key: ['job'],
    columns: { job: 'text', pattern: 'text', timezone: 'text', catch_up: 'text', next_at: 'int' },
  },
  { name: 'fresh_for', key: ['job'], columns: { job: 'text', longest_ms: 'int' } },
  {
    name: 'readings',
    key: ['account', 'dialect', 'ask'],
    columns: { account: 'text', dialect: 'text', ask: 'text' },
  },
  {
    name: 'seen_fields',
    key: ['account'],
    columns: { account: 'text', seen_at: 'int', fields: 'text' },
  },
  { name: 'signing_key', key: ['id'], columns: { id: 'int', key: 'bytes' } },
  { name: 'suppressions', key: ['id'], columns: { id: 'int', reason: 'text', at: 'int' } },
  {
    name: 'suppressed',
    key: ['digest', 'suppression_id'],
    columns: {
      digest: 'bytes',
      suppression_id: 'int',
      kind: 'text',
      rule: 'int',
      is_given: 'bool',
    },
  },
  {
    name: 'deliveries',
    key: ['id'],
    columns: {
      id: 'int',
      scope: 'text',
      enrichment_id: 'int',
      call_id: 'int',
      received_at: 'int',
      times: 'int',
      digest: 'bytes',
      state: 'text',
      handled_at: 'int',
      settled: 'int',
      unchanged: 'int',
      unknown: 'int',
      also_settled: 'text',
      body: 'text',
    },
    long: 'body',
  },
  {
    name: 'unknown_tickets',
    key: ['ticket', 'delivery_id'],
    columns: { ticket: 'text', delivery_id: 'int' },
  },
  { name: 'delivery_keys', key: ['id'], columns: { id: 'int', bytes: 'int', unkept: 'int' } },
  {
    name: 'refused_deliveries',
    key: ['scope', 'reason', 'encoding'],
    columns: {
      scope: 'text',
      reason: 'text',
      encoding: 'text',
      count: 'int',
      first_at: 'int',
      last_at: 'int',
    },
  },
  {
    name: 'lists',
    key: ['id'],
    columns: {
      id: 'int',
      run_id: 'int',
      name: 'text',
      state: 'text',
      list_id: 'text',
      reason: 'text',
      position: 'int',
      added: 'int',
      already_in: 'int',
    },
  },
  {
    name: 'events',
    key: ['id'],
    columns: {
      id: 'int',
      scope: 'text',
      event_id: 'text',
      type: 'text',
      happened_at: 'int',
      received_at: 'int',
      body: 'text',
    },
    long: 'body',
  },
  {
    name: 'read_files',
    key: ['path', 'role', 'job'],
    columns: { path: 'text', role: 'text', job: 'text', run_id: 'int' },
  },
  {
    name: 'written_files',
    key: ['path', 'role', 'job'],
    columns: {
      path: 'text',
      role: 'text',
      job: 'text',
      run_id: 'int',
      looks: 'text',
    },
  },
  {
    name: 'hashed_files',
    key: ['job', 'path'],
    columns: { job: 'text', path: 'text', look: 'text', digest: 'text', noted_at: 'int' },
  },
  {
    name: 'done_files',
    key: ['job', 'terms', 'digest'],
    columns: { job: 'text', terms: 'text', digest: 'text', run_id: 'int', done_at: 'int' },
  },
  {
    name: 'series',
    key: ['run_id'],
    columns: { run_id: 'int', width_ms: 'int', histograms: 'text' },
  },
  {
    name: 'series_buckets',
    key: ['run_id', 'at'],
    columns: { run_id: 'int', at: 'int', ...SERIES_COUNTS },
  },
  {
    name: 'charge_sums',
    key: ['id'],
    columns: {
      id: 'int',
      account: 'text',
      sent_at: 'int',
      answered_at: 'int',
      ask: 'text',
      outcome: 'text',
      thousandths: 'int',
      is_named: 'bool',
      count: 'int',
    },
  },
  {
    name: 'charged_tickets',
    key: ['digest', 'sum_id'],
    columns: { digest: 'bytes', sum_id: 'int', times: 'int' },
  },
  {
    name: 'spending',
    key: ['account', 'quarter'],
    columns: { account: 'text', quarter: 'int', spent: 'int', held: 'int' },
  },
  {
    name: 'caps',
    key: ['account'],
    columns: { account: 'text', day: 'int', month: 'int', timezone: 'text' },
  },
];

const KINDS = new Map(
  [...ARCHIVE_TABLES, LIMITS].map(({ columns, name }) => [name, columns] as const),
);

/** @throws Error for a column that is in none of these tables */
export function kindOf(table: string, column: string): ArchiveKind {
  const kind = KINDS.get(table)?.[column];
  if (kind === undefined) throw new Error(`no column ${column} of ${table} is known`);
  return kind;
}
