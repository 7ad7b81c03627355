// One event of each kind, as a run would tell it.

import type { Run } from '../../src/model/run.js';
import { emptyByStatus } from '../../src/model/tally.js';
import type { RunEvent } from '../../src/model/telemetry/observe.js';
import { runPlan } from './leads.js';

export const RUN: Run = {
  ...runPlan(),
  id: 7,
  state: 'reading',
  columns: [],
  leadCount: 0,
  rejectCount: 0,
  startedAt: 0,
  endedAt: null,
};

const TALLY = {
  leads: 3,
  rejects: 0,
  byStatus: { ...emptyByStatus(), found: 2, failed: 1 },
  askedAgain: {},
  reasons: [],
  inPart: { leads: 0, reasons: [] },
  enrichments: 3,
  fromCache: 0,
  credits: 10,
};
const COUNT = { queued: 2, awaiting: 0, cached: 1, shared: 0, skipped: 0, notAsked: 0 };
const MAPPED = {
  input: 'email',
  column: { key: 'Ada Lovelace', name: 'Ada Lovelace' },
  index: 0,
  isGuessed: true,
} as const;

export const EVENTS: { readonly [K in RunEvent['kind']]: Extract<RunEvent, { readonly kind: K }> } =
  {
    'run.started': { kind: 'run.started', run: RUN, isContinued: false },
    'run.recovered': { kind: 'run.recovered', uncertain: 2 },
    'run.resumed': { kind: 'run.resumed', queued: 1, awaiting: 2 },
    'run.mapped': { kind: 'run.mapped', mapping: [MAPPED] },
    'run.detected': {
      kind: 'run.detected',
      detection: { what: 'encoding', value: 'windows-1252', source: 'leads.csv' },
    },
    'run.resending': { kind: 'run.resending', count: 1 },
    'run.adopted': { kind: 'run.adopted', queued: 1, awaiting: 1, uncertain: 0 },
    'run.draining': { kind: 'run.draining', by: 'signal' },
    'run.warned': { kind: 'run.warned', warning: 'no_deliveries', message: 'Look.' },
    'run.ended': {
      kind: 'run.ended',
      run: RUN,
      tally: TALLY,
      result: 'unanswered',
      durationMs: 9,
      advice: '"sluice status 1" says why.',
    },
    'run.reopened': { kind: 'run.reopened', run: RUN, queued: 1, awaiting: 0, answered: 0 },
    'state.new': { kind: 'state.new', path: 'data/a.db', beside: 'data/sluice.db' },
    'job.locked': { kind: 'job.locked', job: 'nightly' },
    'job.released': { kind: 'job.released', job: 'nightly' },
    'folder.unchanged': { kind: 'folder.unchanged', files: 2, hashed: 1 },
    'leads.read': { kind: 'leads.read', position: 3, leads: 3, rejects: 1, count: COUNT },
    'leads.passed': { kind: 'leads.passed', step: 'second', leads: 3, count: COUNT },
    'leads.complete': { kind: 'leads.complete', leads: 3 },
    'enrichments.claimed': { kind: 'enrichments.claimed', enrichments: [1, 2] },
    'enrichments.submitted': { kind: 'enrichments.submitted', enrichments: [1, 2], pollAt: 0 },
    'enrichments.requeued': { kind: 'enrichments.requeued', enrichments: [3] },
    'enrichments.postponed': { kind: 'enrichments.postponed', enrichments: [1] },
    'enrichments.settled': {
      kind: 'enrichments.settled',
      outcome: 'found',
      by: 'poll',
      credits: 10,
      enrichments: [1, 2],
    },
    'budget.reserved': {
      kind: 'budget.reserved',
      credits: 5,
      reserved: 10,
      spent: 0,
      budget: 100,
    },
    'platform.ready': { kind: 'platform.ready', durationMs: 12.4 },
    'state.back': { kind: 'state.back', durationMs: 12_000 },
    'platform.back': { kind: 'platform.back', durationMs: 90_000 },
    'request.sent': { kind: 'request.sent', route: 'submit', attempt: 1 },
    'request.answered': {
      kind: 'request.answered',
      route: 'submit',
      attempt: 1,
      status: 201,
      durationMs: 30,
    },
    'request.failed': {
      kind: 'request.failed',
      route: 'result',
      attempt: 2,
      fate: 'lost',
      code: 'ECONNRESET',
      durationMs: 30_000,
    },
    'limit.waited': { kind: 'limit.waited', request: 'submit', permits: 3, durationMs: 1_900 },
    'limit.paused': { kind: 'limit.paused', route: 'result', status: 429, pauseMs: 2_000 },
    'requests.slowed': { kind: 'requests.slowed', request: 'poll', pauseMs: 500 },
    'write.repeated': {
      kind: 'write.repeated',
      attempt: 1,
      pauseMs: 100,
      reason: 'The disk is full.',
    },
    'hook.added': { kind: 'hook.added', hook: 'hk_1', type: 'enrichmentDone' },
    'listener.opened': { kind: 'listener.opened', port: 8640, isShared: false },
    'listener.closed': { kind: 'listener.closed', port: 8640 },
    'deliveries.kept': {
      kind: 'deliveries.kept',
      count: 4,
      repeated: 1,
      settled: 2,
      full: 1,
    },
    'deliveries.refused': { kind: 'deliveries.refused', reason: 'not_json', status: 400 },
    'connections.dropped': { kind: 'connections.dropped', keyless: 7, keyed: 2 },
    'deliveries.handled': {
      kind: 'deliveries.handled',
      deliveries: 4,
      settled: 2,
      postponed: 1,
      unchanged: 3,
      unknown: 1,
    },
    'journal.replayed': { kind: 'journal.replayed', deliveries: 4, changed: 2 },
    'events.followed': { kind: 'events.followed', count: 2, last: 9 },
    'list.created': { kind: 'list.created', list: 'clt_1' },
    'list.filled': { kind: 'list.filled', list: 'clt_1', added: 2, alreadyIn: 0 },
    'table.exported': {
      kind: 'table.exported',
      out: 'out.csv',
      rows: 3,
      rejects: null,
      changed: [],
      durationMs: 5,
    },
    'metrics.served': { kind: 'metrics.served', port: 9464 },
    'metrics.written': { kind: 'metrics.written', path: 'm.prom' },
    'command.failed': { kind: 'command.failed', code: 'store', exitCode: 5, message: 'No.' },
  };
