// A state with something of everything that a state can hold.
import { createPersonMatch } from '../../src/model/person-match.js';
import type { Result } from '../../src/model/result.js';
import { namedBy } from '../../src/model/suppression.js';
import type { Store } from '../../src/ports/store/store.js';
import {
  accepted,
  found,
  refused,
  T0,
  TIMES,
  timedOut,
  uncertain,
} from '../contract/store-bench.js';
import { asked, COLUMNS, fingerprintOf, notAskedLead, runPlan, skippedLead } from './leads.js';

/** Texts that stores like to change. */
const ODD = `"it's" \\ 🦊 e\u0301 \u2028 ${'ß'.repeat(300)}`;

const STATES = ['found', 'not_found', 'failed', 'timed_out', 'uncertain', 'awaiting', 'unread'];
const PROFILE: Result = {
  find_email: { email: 'zoë@example.com', status: 'deliverable' },
  social_enrichment: { firstName: 'Zoë', summary: ODD, positionGroups: [] },
};

export async function fillState(store: Store): Promise<void> {
  await store.signingKey();
  await fillCharges(store);
  await fillRun(store, 'nightly');
  await fillRun(store, 'hourly', { digests: ['d1'], freshForMs: 90_000 });
  const open = await store.startRun(runPlan({ job: 'open' }), T0 + 5_000);
  const known = asked(1, 'nightly found');
  // A part of it is known.
  const request = { ...known.request, ask: ['find_email', 'find_phone'] };
  const more = { ...known, position: 3, line: 4, request, fingerprint: fingerprintOf('more') };
  const leads = [known, asked(2, 'late'), more];
  await store.ingest(open.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  await store.claim(open.id, 1, T0, { prices: { find_email: 5 } });
  await store.pauseJob('open', T0);
  await store.keepSample('open', 1, ['0a1b', 'ff00']);
  const when = { pattern: '0 2 * * *', timezone: 'Europe/Vienna', catchUp: 'one' } as const;
  await store.keepSchedule('nightly', { ...when, nextAt: T0 });
  await store.setCaps('acc', { day: 500, month: 10_000.5, timezone: 'Europe/Vienna' });
  await store.noteReadings('acc', 'd', ['find_email']);
  await store.noteOutage('acc', true);
  await store.exchangePeopleSchema('acc', { version: 1, fields: [] }, T0);
  await store.noteRead(open.id, [{ path: '/in/leads.csv', role: 'input' }]);
  const written = { role: 'table', job: 'open', run: open.id } as const;
  await store.noteWritten('/out/out.csv', { ...written, looks: [{ size: 7, modifiedAt: T0 }] });
  const hashed = { path: '/drop/a.csv', look: 'l', digest: 'd1' };
  await store.noteHashed('hourly', [hashed], [], T0);
  await store.noteRequests(open.id, {
    seconds: [{ at: T0, submits: 2, polls: 1, others: 0, peak: 2, throttled: 0, pausedMs: 0 }],
    http: [1, 2],
  });
  await store.suppress([namedBy({ email: 'ada@example.com' })], ODD, T0);
  await store.suppress([namedBy({ companyDomain: 'suppressed.example' })], '', T0 + 1);
  await store.linkSuppressed(0, 1_000);
}

/** A person who was found and is forgotten: only what was paid is left. */
async function fillCharges(store: Store): Promise<void> {
  const run = await store.startRun(runPlan({ job: 'forgotten' }), T0);
  const leads = [asked(1, 'gone')];
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  const sent = (await store.claim(run.id, 1, T0)).claimed;
  await store.recordSubmits(sent.map((one) => accepted(one)));
  const result = { find_email: { email: 'gone@example.com' } };
  await store.settle(sent.map(({ id }) => ({ ...found(id), result })));
  await store.finishReading(run.id);
  await store.endRun(run.id, 'finished', T0);
  const match = createPersonMatch([{ kind: 'email', spellings: ['gone@example.com'] }]);
  await store.forget(match, T0, true);
}

async function fillRun(
  store: Store,
  job: string,
  changes: Parameters<typeof runPlan>[0] = {},
): Promise<void> {
  const run = await store.startRun(runPlan({ job, ...changes }), T0);
  const people = STATES.map((state, i) => asked(i + 1, `${job} ${state}`));
  const [, , odd] = people;
  if (odd !== undefined)
    Object.assign(odd, { cells: [ODD, 'x\0y', { '2': null, '10': [1, ODD] }] });
  const leads = [
    ...people,
    asked(8, `${job} refused`),
    skippedLead(10, 'no input'),
    notAskedLead(11, 'not chosen'),
    asked(12, `${job} found`),
    asked(13, 'of two jobs'),
  ];
  const rejects = [{ source: 0, line: 9, reason: 'quotes', raw: `a,"b\0${ODD}` }];
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects }, TIMES);
  const [hit, miss, failing, late, lost, waiting, unread, denied] = (
    await store.claim(run.id, 8, T0)
  ).claimed;
  if (!hit || !miss || !failing || !late || !lost || !waiting || !unread || !denied) {
    throw new Error('there is less to claim than was read');
  }
  const answered = [hit, miss, failing, late, waiting, unread];
  await store.recordSubmits([
    ...answered.map((one) => accepted(one)),
    uncertain(lost),
    refused(denied),
  ]);
  await store.settle([
    { ...found(hit.id), result: PROFILE },
    { id: miss.id, at: T0, outcome: 'not_found', result: {}, credits: 0.25 },
    { id: failing.id, at: T0, outcome: 'failed', reason: ODD },
    timedOut(late.id),
  ]);
  await store.settle([{ id: unread.id, body: `{"odd":"\\u0000"}`, reason: 'unread' }]);
  await fillJournal(store, job, late.id, waiting.id);
  const list = await store.wantList(run.id, `list of ${job}`);
  await store.beginList(list.id);
  await store.recordList(list.id, { kind: 'created', listId: 'l1' });
  await store.finishReading(run.id);
  await store.endRun(run.id, 'finished', T0 + 4_000);
}

async function fillJournal(store: Store, job: string, id: number, waiting: number): Promise<void> {
  const of = (body: string, enrichmentId: number | null) =>
    ({ scope: 'acc', enrichmentId, callId: null, receivedAt: T0, body: `${body}${job}` }) as const;
  const event = { id: `act ${job}`, type: 'emailsSent', at: T0 };
  await store.keepArrivals([
    of('settles ', id),
    of('settles and more ', null),
    of('unknown ', null),
    of('unread ', null),
    of('pending ', waiting),
    { scope: 'acc', receivedAt: T0, event, body: JSON.stringify({ _id: `act ${job}`, odd: ODD }) },
  ]);
  const refused = { scope: 'acc', reason: 'not_json', encoding: 'gzip', count: 2 };
  await store.addRefused([{ ...refused, firstAt: T0, lastAt: T0 + 1 }]);
  const ids = (await store.listDeliveries(5)).map((one) => one.id).toReversed();
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  const settles = { kind: 'settle', ticket: null, settlement: found(id) } as const;
  const stranger = { kind: 'unknown', ticket: `strange ${job}`, enrichmentId: null } as const;
  await store.handleDeliveries('acc', [
    { id: first, at: T0, steps: [settles] },
    { id: third, at: T0, steps: [stranger] },
    { id: fourth, at: T0, steps: [{ kind: 'nothing' }], isUnread: true },
  ]);
  // It settles another enrichment than its key names.
  const also = { ...settles, settlement: found(waiting) };
  await store.handleDeliveries('acc', [{ id: second, at: T0, steps: [also, stranger] }]);
}
