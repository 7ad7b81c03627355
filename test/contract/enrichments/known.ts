// What is known of a person, ask by ask: answers stand in for others about the same person, and only the rest is sent.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ask, Inputs } from '../../../src/model/ask.js';
import { createPersonMatch } from '../../../src/model/person-match.js';
import type { Result } from '../../../src/model/result.js';
import type { Run } from '../../../src/model/run.js';
import { identifiersOf } from '../../../src/model/suppression.js';
import type {
  AskedLead,
  Claim,
  ClaimedEnrichment,
  ClaimTerms,
  Settlement,
  SubmitRecord,
} from '../../../src/ports/store/enrichments.js';
import { asked, fingerprintOf, runPlan } from '../../helpers/leads.js';
import {
  accepted,
  failed,
  missed,
  refused,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  uncertain,
  unsent,
} from '../store-bench.js';

const BOTH: readonly Ask[] = ['find_email', 'find_phone'];
const EMAIL: readonly Ask[] = ['find_email'];
const PHONE: readonly Ask[] = ['find_phone'];
const LATER = { at: T0 + 100_000, deadlineAt: T0 + 200_000 };
const STALE = { ...TIMES, freshSince: T0 + 1_000_000 };
const LOOKING = { look: TIMES } satisfies ClaimTerms;

const ADA = { firstName: 'Ada', lastName: 'Byron', companyDomain: 'acme.com' };
const BOB = { ...ADA, firstName: 'Bob' };
const CYD = { ...ADA, firstName: 'Cyd' };
const PROFILE = { socialUrl: 'https://www.linkedin.com/in/ada-byron' };

const EMAIL_FOUND: Result = { find_email: { email: 'ada@acme.com' } };
const PHONE_FOUND: Result = { find_phone: { phone: '+33612345678' } };

function lead(position: number, ask: readonly Ask[], inputs: Inputs = ADA): AskedLead {
  const fingerprint = fingerprintOf(JSON.stringify([ask, inputs]));
  return { ...asked(position, 'x'), fingerprint, request: { ask, inputs } };
}

function found(id: number, result: Result, credits = 5, at = T0): Settlement {
  return { id, at, outcome: 'found', result, credits };
}

export function describeKnown(bench: StoreBench): void {
  describe('what is known of a person', () => {
    const { ingest, claimOne, finish, answers, statuses, peek, store, run } = bench;
    let next: Run;
    beforeEach(async () => {
      next = await store.startRun(runPlan({ job: 'weekly' }), T0);
    });

    /** Sent by the first run. */
    const sent = async (ask: readonly Ask[], inputs: Inputs = ADA): Promise<ClaimedEnrichment> => {
      const { leadCount } = (await store.findRun(run.id)) as Run;
      await ingest([lead(leadCount + 1, ask, inputs)]);
      return claimOne();
    };
    const settled = async (
      settle: (id: number) => Settlement,
      ask: readonly Ask[] = BOTH,
      inputs: Inputs = ADA,
    ): Promise<number> => {
      const one = await sent(ask, inputs);
      await store.recordSubmits([accepted(one)]);
      await store.settle([settle(one.id)]);
      return one.id;
    };
    const take = (...leads: AskedLead[]) => ingest(leads, next.id);
    const toldBy = ({ awaiting, claimed, known, waiting }: Claim) => ({
      sent: claimed.map(({ request }) => request.ask),
      known: known.map(({ outcome }) => outcome),
      awaiting,
      waiting,
    });
    const NOTHING = { sent: [], known: [], awaiting: 0, waiting: 0 };
    const claim = async (terms: ClaimTerms = {}, at = T0, runId = next.id) =>
      toldBy(await store.claim(runId, 9, at, { ...LOOKING, ...terms }));

    it('is not counted among what a run has to pay for, which is told by what is asked', async () => {
      const named = { ...ADA, companyName: 'Acme' };
      await take(lead(1, BOTH), lead(2, EMAIL, named), lead(3, EMAIL, BOB));
      const toPay = async () => (await store.series(next.id)).asked.toPay;
      const byAsk = expect.arrayContaining([
        { ask: BOTH, count: 1 },
        { ask: EMAIL, count: 2 },
      ]);
      expect(await toPay()).toEqual(byAsk);
      const { claimed } = await store.claim(next.id, 1, T0, LOOKING);
      await store.recordSubmits(claimed.map((one) => accepted(one)));
      await store.settle(claimed.map(({ id }) => found(id, EMAIL_FOUND)));
      expect((await store.claim(next.id, 9, T0, LOOKING)).known).toHaveLength(1);
      expect(await toPay()).toEqual(
        expect.arrayContaining([
          { ask: BOTH, count: 1 },
          { ask: EMAIL, count: 1 },
        ]),
      );
    });

    describe('is not asked again', () => {
      it('for a part of what was asked: its values stand there with time and ticket, for nothing', async () => {
        const id = await settled((one) =>
          found(one, { ...EMAIL_FOUND, ...PHONE_FOUND }, 25, T0 + 7),
        );
        await settled((one) => found(one, PHONE_FOUND, 20), BOTH, BOB);
        expect(await peek([lead(1, EMAIL), lead(2, EMAIL, BOB)], T0)).toEqual(['fresh', 'fresh']);
        const leads = [lead(1, EMAIL), lead(2, EMAIL, BOB), lead(3, PHONE, BOB), lead(4, EMAIL)];
        expect(await take(...leads)).toMatchObject({ cached: 4, queued: 0, awaiting: 0 });
        expect(await answers(next.id)).toMatchObject([
          {
            status: 'found',
            ask: EMAIL,
            result: EMAIL_FOUND,
            ticket: `enr_${id}`,
            enrichedAt: T0 + 7,
            source: 'cache',
            credits: 0,
            paidBy: run.id,
          },
          { status: 'not_found', ask: EMAIL, result: {} },
          { status: 'found', ask: PHONE, result: PHONE_FOUND },
          { status: 'found', ask: EMAIL },
        ]);
        expect((await answers(next.id))[0]?.result).not.toHaveProperty('find_phone');
        expect(await store.tally(next.id)).toMatchObject({ credits: 0, fromCache: 4 });
        expect(await store.commitment(next.id)).toEqual({ spent: 0, open: [] });
      });

      it('where nothing may be sent: what costs nothing is answered behind what would', async () => {
        await take(lead(1, EMAIL, CYD), lead(2, PHONE, BOB), lead(3, BOTH), lead(4, EMAIL));
        await settled((one) => found(one, EMAIL_FOUND), EMAIL, { ...ADA, ...PROFILE });
        const told = await store.answerKnown(next.id, T0, TIMES, 0);
        expect(told).toMatchObject({ known: [{ outcome: 'found' }], awaiting: 0 });
        expect((await store.answerKnown(next.id, T0, TIMES, told.last ?? 0)).last).toBeNull();
        expect(await statuses(next.id)).toEqual(['queued', 'queued', 'found', 'found']);
        expect(await answers(next.id)).toMatchObject([
          {},
          {},
          { askedAgain: 'queued', result: EMAIL_FOUND },
          { result: EMAIL_FOUND, credits: 0, source: 'cache' },
        ]);
        expect(await store.commitment(next.id)).toEqual({ spent: 0, open: [] });
        expect(await claim()).toMatchObject({ sent: [EMAIL, PHONE, PHONE], known: [] });
      });

      it('where less was told of the person: a plan counts the misses among them, and no failures', async () => {
        await settled(missed, EMAIL, ADA);
        await settled(failed, PHONE, ADA);
        const more = { ...ADA, companyName: 'Acme' };
        const peeked = await store.peek('acc', [lead(1, EMAIL, more), lead(2, PHONE, more)], T0);
        expect(peeked).toEqual([
          { state: 'new', asks: EMAIL, isMissed: true },
          { state: 'new', asks: PHONE, isMissed: false },
        ]);
      });

      it('where more is wanted: only the rest is sent, and the row has both', async () => {
        const id = await settled((one) => found(one, EMAIL_FOUND), EMAIL);
        const both = lead(1, BOTH);
        const [peeked] = await store.peek('acc', [both], T0);
        expect(peeked).toEqual({ state: 'new', asks: PHONE, isMissed: false });
        expect(await take(both)).toMatchObject({ queued: 1 });
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', result: EMAIL_FOUND, askedAgain: 'queued' },
        ]);
        const [claimed] = (await store.claim(next.id, 9, T0, LOOKING)).claimed;
        expect(claimed?.request).toEqual({ ask: PHONE, inputs: ADA });
        const prices = { find_email: 5, find_phone: 20 };
        expect((await store.commitment(next.id)).open).toEqual([{ ask: PHONE, count: 1 }]);
        await store.recordSubmits([accepted(claimed as ClaimedEnrichment)]);
        expect(await store.awaited(next.id, 9)).toMatchObject([{ request: { ask: PHONE } }]);
        await store.settle([found(claimed?.id ?? 0, PHONE_FOUND, prices.find_phone)]);
        expect(await answers(next.id)).toMatchObject([
          {
            status: 'found',
            result: { ...EMAIL_FOUND, ...PHONE_FOUND },
            credits: 20,
            source: 'api',
          },
        ]);
        const { leads } = await store.lineHistory(next.id, 2, null);
        expect(leads[0]?.enrichment?.known).toMatchObject([
          { asks: EMAIL, enrichmentId: id, runId: run.id, line: 2 },
        ]);
      });

      it.each<[string, (sent: ClaimedEnrichment) => Promise<unknown>]>([
        ['fails', (one) => settleAccepted(one, failed(one.id))],
        ['finds nothing', (one) => settleAccepted(one, missed(one.id))],
        ['times out', (one) => settleAccepted(one, timedOut(one.id))],
        ['is in doubt', (one) => store.recordSubmits([uncertain(one)])],
        ['is refused', (one) => store.recordSubmits([refused(one)])],
      ])('and stays where what is sent for the rest %s', async (_, end) => {
        await settled((one) => found(one, EMAIL_FOUND), EMAIL);
        await take(lead(1, BOTH));
        await end(await claimOne(next.id));
        expect(await answers(next.id)).toMatchObject([{ status: 'found', result: EMAIL_FOUND }]);
        expect((await store.tally(next.id)).byStatus).toMatchObject({ found: 1 });
      });

      it('whatever else the file says of the person', async () => {
        await settled((one) => found(one, EMAIL_FOUND), EMAIL);
        expect(await take(lead(1, EMAIL, { ...ADA, ...PROFILE }))).toMatchObject({ cached: 1 });
        const named = { ...ADA, ...PROFILE, companyName: 'Acme' };
        expect(await take(lead(2, EMAIL, named))).toMatchObject({ cached: 1 });
      });

      it('no longer than it is fresh, and is shown until there is a newer answer', async () => {
        await settled((one) => found(one, EMAIL_FOUND));
        await take(lead(1, EMAIL));
        expect(await peek([lead(1, EMAIL)], STALE.freshSince)).toEqual(['new']);
        expect(await ingest([lead(2, EMAIL)], next.id, STALE)).toMatchObject({ queued: 1 });
        expect(await statuses(next.id)).toEqual(['found', 'found']);
        expect(await claim({ look: STALE })).toMatchObject({ sent: [EMAIL] });
      });

      it('by the newest answer, and by a miss only if that had as many inputs', async () => {
        await settled((one) => missed(one, T0), EMAIL);
        expect(await take(lead(1, EMAIL, { ...ADA, ...PROFILE }))).toMatchObject({ queued: 1 });
        const one = await claimOne(next.id);
        await settleAccepted(one, found(one.id, EMAIL_FOUND, 5, T0 + 1));
        expect(await take(lead(2, EMAIL, { ...ADA, companyName: 'Acme' }))).toMatchObject({
          cached: 1,
        });
        expect(await statuses(next.id)).toEqual(['found', 'found']);
      });

      it('with a failure of what was accepted, and not with a refusal', async () => {
        await settled((id) => failed(id));
        await store.recordSubmits([refused(await sent(BOTH, BOB))]);
        expect(await take(lead(1, EMAIL), lead(2, EMAIL, BOB))).toMatchObject({
          cached: 1,
          queued: 1,
        });
        expect(await answers(next.id)).toMatchObject([
          { status: 'failed', reason: 'broken', credits: 0 },
          { status: 'queued' },
        ]);
      });

      it('but for one who is forgotten, and of whom the line says less: only the whole inputs are known', async () => {
        await settled((one) => found(one, EMAIL_FOUND), BOTH, { ...ADA, ...PROFILE });
        await finish();
        const match = createPersonMatch([{ kind: 'email', spellings: ['ada@acme.com'] }]);
        await store.forget(match, T0, true);
        expect(await take(lead(1, EMAIL, PROFILE), lead(2, EMAIL))).toMatchObject({ queued: 2 });
        expect(await claim()).toMatchObject({ known: [] });
      });

      it('also where the person is forgotten', async () => {
        await settled((one) => found(one, EMAIL_FOUND));
        await take(lead(1, EMAIL));
        await finish();
        await finish(next.id);
        const match = createPersonMatch([{ kind: 'email', spellings: ['ada@acme.com'] }]);
        expect(await store.forget(match, T0, true)).toMatchObject({ leads: 2, enrichments: 2 });
        const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
        expect(await ingest([lead(1, PHONE)], third.id)).toMatchObject({ cached: 1, queued: 0 });
        expect(await answers(third.id)).toMatchObject([
          { status: 'failed', reason: expect.stringMatching(/^forgotten/) as string, inputs: {} },
        ]);
      });

      it('also where the run that paid is pruned', async () => {
        await settled((one) => found(one, EMAIL_FOUND));
        await take(lead(1, EMAIL));
        await finish();
        const { at } = TIMES;
        await store.prune({ at: at + 9, before: at + 9, freshSince: at + 9 }, true);
        expect(await answers(next.id)).toMatchObject([{ status: 'found', result: EMAIL_FOUND }]);
        const { leads } = await store.lineHistory(next.id, 2, null);
        expect(leads[0]?.enrichment?.known).toMatchObject([{ asks: EMAIL, line: null }]);
      });

      it('of an address that was verified, by whatever name', async () => {
        const verify: readonly Ask[] = ['verify_email'];
        const status: Result = { find_email: { status: 'deliverable' } };
        const address = { email: 'info@acme.com' };
        await settled((one) => found(one, status, 1), verify, { ...address, ...ADA });
        expect(await take(lead(1, verify, { ...BOB, ...address }))).toMatchObject({ cached: 1 });
        expect(await take(lead(2, EMAIL, { ...BOB, ...address }))).toMatchObject({ queued: 1 });
      });
    });

    async function settleAccepted(one: ClaimedEnrichment, settlement: Settlement): Promise<void> {
      await store.recordSubmits([accepted(one)]);
      await store.settle([settlement]);
    }

    describe('is asked for all the same', () => {
      it.each<[string, Inputs, Result, Inputs]>([
        [
          'of another at the same address',
          { ...BOB, email: 'office.b@acme.com' },
          {},
          { ...ADA, email: 'office.b@acme.com' },
        ],
        [
          'of another name with the profile',
          { ...PROFILE, lastName: 'Byron' },
          {},
          { ...PROFILE, lastName: 'King' },
        ],
        [
          'of another profile',
          { ...ADA, ...PROFILE },
          {},
          { ...ADA, socialUrl: 'https://linkedin.com/in/ada-2' },
        ],
        [
          'of another address there',
          { ...ADA, email: 'ada@acme.com' },
          {},
          { ...ADA, email: 'a.byron@acme.com' },
        ],
        [
          'of another company',
          { ...PROFILE, companyDomain: 'acme.com' },
          {},
          { ...PROFILE, companyDomain: 'other.com' },
        ],
        [
          'of a profile that was found',
          ADA,
          { social_enrichment: { socialUrl: 'https://linkedin.com/in/ada-2', positionGroups: [] } },
          { ...ADA, ...PROFILE },
        ],
        ['of a role', { email: 'info@acme.com' }, {}, { email: 'info@acme.com', lastName: 'King' }],
      ])('%s', async (_, inputs, result, others) => {
        await settled((id) => found(id, { ...EMAIL_FOUND, ...result }, 5), EMAIL, inputs);
        expect(await take(lead(1, EMAIL, others))).toMatchObject({ queued: 1 });
        expect(await claim()).toMatchObject({ sent: [EMAIL] });
      });

      it('by one that shares nothing with the answer but another lead', async () => {
        await settled((one) => found(one, EMAIL_FOUND), EMAIL);
        await take(lead(1, EMAIL, { ...ADA, ...PROFILE }));
        expect(await take(lead(2, EMAIL, PROFILE))).toMatchObject({ queued: 1 });
      });

      it('by each of two who contradict each other, where one has the answer', async () => {
        await settled((one) => found(one, EMAIL_FOUND), EMAIL);
        const other = { ...ADA, socialUrl: 'https://www.linkedin.com/in/ada-2' };
        await take(lead(1, EMAIL, { ...ADA, ...PROFILE }), lead(2, EMAIL, other));
        expect(await statuses(next.id)).toEqual(['found', 'queued']);
        expect(await claim()).toMatchObject({ sent: [EMAIL] });
      });

      it('by other inputs, where only the same ones count', async () => {
        await settled((one) => found(one, EMAIL_FOUND), EMAIL);
        const fuller = { ...ADA, ...PROFILE };
        expect(await take({ ...lead(1, EMAIL, fuller), isExact: true })).toMatchObject({
          queued: 1,
        });
        expect(await take({ ...lead(2, BOTH), isExact: true })).toMatchObject({ queued: 1 });
        const look = { ...TIMES, isExact: true };
        expect(await claim({ look })).toMatchObject({ sent: [EMAIL, PHONE] });
      });

      it('in doubt which of two it is', async () => {
        const first = { ...ADA, companyName: 'Acme', socialUrl: 'https://linkedin.com/in/ada-1' };
        await settled((id) => found(id, EMAIL_FOUND), EMAIL, first);
        const named = { firstName: 'Ada', lastName: 'Byron', companyName: 'Acme' };
        expect(await peek([lead(1, EMAIL, named)], T0)).toEqual(['fresh']);
        const second = { ...first, socialUrl: 'https://linkedin.com/in/ada-2' };
        await settled((id) => found(id, { find_email: { email: 'ab@acme.com' } }), EMAIL, second);
        expect(await take(lead(1, EMAIL, named))).toMatchObject({ queued: 1 });
      });

      it('in doubt who of two the one is that fits', async () => {
        const named = { firstName: 'Ada', lastName: 'Byron', companyName: 'Acme' };
        await settled((id) => found(id, EMAIL_FOUND), EMAIL, named);
        const [one, other] = ['acme.org', 'acme.com'].map((companyDomain) => ({
          ...named,
          companyDomain,
        }));
        expect(await take(lead(1, EMAIL, one))).toMatchObject({ cached: 1 });
        expect(await take(lead(2, EMAIL, other))).toMatchObject({ queued: 1 });
      });

      it('in doubt: then its own inputs count first', async () => {
        const ada = { ...ADA, companyName: 'Acme' };
        await settled((id) => found(id, PHONE_FOUND), BOTH, ada);
        await settled((id) => found(id, {}), PHONE, { ...PROFILE, companyDomain: 'other.com' });
        const { companyDomain: _, ...named } = ada;
        const other: Result = { find_phone: { phone: '+33600000000' } };
        await settled((id) => found(id, other, 5, T0 + 9), PHONE, { ...named, ...PROFILE });
        expect(await take(lead(1, PHONE, ada))).toMatchObject({ cached: 1 });
        expect(await answers(next.id)).toMatchObject([{ result: PHONE_FOUND }]);
      });

      it('of another account', async () => {
        await settled((one) => found(one, EMAIL_FOUND));
        const other = await store.startRun(runPlan({ job: 'other', account: 'acc2' }), T0);
        expect(await ingest([lead(1, EMAIL)], other.id)).toMatchObject({ queued: 1 });
      });

      it('by another definition of a custom ask', async () => {
        const firm = (definition: string): AskedLead => ({
          ...lead(1, ['firm', 'find_email']),
          definitions: { firm: definition },
        });
        await ingest([firm('a')]);
        const one = await claimOne();
        await settleAccepted(one, found(one.id, { ...EMAIL_FOUND, custom: { firm: { x: 1 } } }));
        const part = (definition: string): AskedLead => ({
          ...lead(1, ['firm'], { ...ADA, ...PROFILE }),
          definitions: { firm: definition },
        });
        expect(await peek([part('a'), part('b')], T0)).toEqual(['fresh', 'new']);
      });
    });

    describe('is waited for while it is on its way', () => {
      it('at a claim, which makes the run await it, and takes the answer', async () => {
        const one = await sent(BOTH);
        await store.recordSubmits([accepted(one)]);
        expect(await peek([lead(1, EMAIL)], T0)).toEqual(['open']);
        expect(await take(lead(1, EMAIL))).toMatchObject({ queued: 1 });
        expect(await claim()).toEqual({ ...NOTHING, awaiting: 1, waiting: 1 });
        expect(await store.awaited(next.id, 9)).toMatchObject([{ id: one.id }]);
        expect(await store.commitment(next.id)).toEqual({ spent: 0, open: [] });
        await store.settle([found(one.id, PHONE_FOUND, 20)]);
        expect(await claim({}, T0 + 1_000)).toEqual({ ...NOTHING, known: ['not_found'] });
        expect(await statuses(next.id)).toEqual(['not_found']);
        expect(await statuses(run.id)).toEqual(['found']);
      });

      it.each<[string, (one: ClaimedEnrichment) => SubmitRecord, object, string]>([
        ['accepted', (one) => accepted(one), { awaiting: 1, waiting: 1 }, 'queued'],
        ['not sent', unsent, { sent: [EMAIL] }, 'submitting'],
        ['refused', refused, { sent: [EMAIL] }, 'submitting'],
        ['in doubt', uncertain, { known: ['uncertain'] }, 'uncertain'],
      ])('and when it was %s, so is what waits', async (_, record, expected, status) => {
        await take(lead(1, EMAIL));
        const one = await sent(BOTH);
        expect(await peek([lead(1, EMAIL)], T0)).toEqual(['sending']);
        expect(await claim()).toEqual({ ...NOTHING, waiting: 1 });
        await store.recordSubmits([record(one)]);
        expect(await claim({}, T0 + 1_000)).toEqual({ ...NOTHING, ...expected });
        expect(await statuses(next.id)).toEqual([status]);
      });

      it('with fewer inputs too, and is asked again if it ends as a miss', async () => {
        await take(lead(1, EMAIL, { ...ADA, ...PROFILE }));
        const one = await sent(EMAIL);
        expect(await claim()).toMatchObject({ sent: [], waiting: 1 });
        await settleAccepted(one, missed(one.id));
        expect(await claim({}, T0 + 1_000)).toMatchObject({ sent: [EMAIL] });
      });

      it('also where its process died: then it is in doubt', async () => {
        await sent(BOTH);
        await take(lead(1, EMAIL));
        expect(await claim()).toMatchObject({ waiting: 1 });
        expect(await claim({}, T0 + 130_000)).toMatchObject({ waiting: 1 });
        expect(await statuses(run.id)).toEqual(['uncertain']);
        expect(await claim({}, T0 + 140_000)).toMatchObject({ known: ['uncertain'] });
      });

      it('also after it has timed out, and no longer than that', async () => {
        await settled((id) => timedOut(id));
        await take(lead(1, EMAIL));
        expect(await claim()).toEqual({ ...NOTHING, awaiting: 1, waiting: 1 });
        const [one] = await store.awaited(next.id, 9);
        await store.settle([timedOut(one?.id ?? 0)]);
        expect(await claim({}, T0 + 1_000)).toEqual({ ...NOTHING, known: ['uncertain'] });
        await store.settle([found(one?.id ?? 0, EMAIL_FOUND)]);
        expect(await answers(next.id)).toMatchObject([{ status: 'found', result: EMAIL_FOUND }]);
      });

      it('by those queued before it, and by each after those before it in a claim', async () => {
        await take(lead(1, EMAIL, { ...ADA, ...PROFILE }), lead(2, BOTH), lead(3, EMAIL, BOB));
        expect(await claim()).toEqual({ ...NOTHING, sent: [EMAIL, EMAIL], waiting: 1 });
        expect(await statuses(next.id)).toEqual(['submitting', 'queued', 'submitting']);
      });

      it('without a room in a cap, which goes to the next one', async () => {
        await take(lead(1, EMAIL), lead(2, EMAIL, BOB), lead(3, EMAIL, CYD));
        await settled((one) => found(one, EMAIL_FOUND));
        const caps = { timezone: 'UTC', day: 10 };
        const claimed = await claim({ caps, prices: { find_email: 5 } });
        expect(claimed).toMatchObject({ known: ['found'], sent: [EMAIL] });
        expect(await statuses(next.id)).toEqual(['found', 'submitting', 'queued']);
      });

      it('not by one whose person is suppressed since', async () => {
        await take(lead(1, EMAIL));
        await sent(BOTH);
        await store.suppress([identifiersOf(ADA)], 'opted out', T0);
        expect(await claim()).toEqual(NOTHING);
        expect(await statuses(next.id)).toEqual(['skipped']);
      });
    });

    describe('in doubt', () => {
      /** In doubt since another one is. */
      const doubt = async (): Promise<ClaimedEnrichment> => {
        const one = await sent(BOTH);
        await store.recordSubmits([uncertain(one)]);
        expect(await peek([lead(1, EMAIL)], T0)).toEqual(['uncertain']);
        expect(await take(lead(1, EMAIL))).toMatchObject({ shared: 1, queued: 0 });
        expect(await statuses(next.id)).toEqual(['uncertain']);
        return one;
      };

      it('is not sent until a user says so: then it is only what is wanted', async () => {
        await doubt();
        expect(await claim()).toEqual(NOTHING);
        expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 1 });
        expect(await claim()).toEqual({ ...NOTHING, sent: [EMAIL] });
        expect(await statuses(run.id)).toEqual(['uncertain']);
      });

      it('is sent by a run that is told so', async () => {
        await doubt();
        const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
        const times = { ...TIMES, resendUncertain: true };
        expect(await ingest([lead(1, EMAIL)], third.id, times)).toMatchObject({ queued: 1 });
        expect(await claim({}, T0, third.id)).toMatchObject({ sent: [EMAIL] });
      });

      it('is answered with the other after all', async () => {
        const { id } = await doubt();
        await store.settle([found(id, { ...EMAIL_FOUND, ...PHONE_FOUND }, 25)]);
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', result: EMAIL_FOUND, credits: 0, paidBy: run.id },
        ]);
        expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 0 });
      });

      it('of two parts shows the one that is answered, and stays in doubt about the other', async () => {
        const [email, phone] = [await sent(EMAIL), await sent(PHONE)];
        await store.recordSubmits([uncertain(email), uncertain(phone)]);
        await take(lead(1, BOTH));
        await finish();
        await store.retry(run.id, ['uncertain'], { ...LATER, positions: [2] });
        expect((await claimOne()).id).toBe(phone.id);
        await store.settle([found(email.id, EMAIL_FOUND, 5, T0 + 7)]);
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', result: EMAIL_FOUND, askedAgain: 'uncertain' },
        ]);
        await settleAccepted({ ...phone, send: 2 }, found(phone.id, PHONE_FOUND));
        const [whole] = await answers(next.id);
        expect(whole).toMatchObject({
          status: 'found',
          result: { ...EMAIL_FOUND, ...PHONE_FOUND },
        });
      });

      it('is not sent again once the other has its answer', async () => {
        const { id } = await doubt();
        await store.retry(next.id, ['uncertain'], LATER);
        await store.settle([found(id, EMAIL_FOUND)]);
        expect(await claim()).toEqual({ ...NOTHING, known: ['found'] });
      });

      it('is shared by the next run', async () => {
        const { id } = await doubt();
        const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
        expect(await ingest([lead(1, EMAIL)], third.id)).toMatchObject({ shared: 1, queued: 0 });
        await store.settle([found(id, EMAIL_FOUND)]);
        expect(await statuses(third.id)).toEqual(['found']);
      });

      it('of one part leaves the others to be sent', async () => {
        const one = await sent(EMAIL);
        await store.recordSubmits([uncertain(one)]);
        await take(lead(1, BOTH));
        expect(await claim()).toEqual({ ...NOTHING, sent: [PHONE] });
        await store.settle([found(one.id, EMAIL_FOUND)]);
        expect(await answers(next.id)).toMatchObject([{ status: 'found', result: EMAIL_FOUND }]);
      });

      it('of one part leaves each later run the same row, with time, and words for what is in doubt', async () => {
        const email = await sent(EMAIL);
        await store.recordSubmits([uncertain(email)]);
        await take(lead(1, BOTH));
        const phone = await claimOne(next.id);
        await settleAccepted(phone, found(phone.id, PHONE_FOUND, 5, T0 + 7));
        const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
        expect(await ingest([lead(1, BOTH)], third.id)).toMatchObject({ cached: 1, queued: 0 });
        const [before] = await answers(next.id);
        const inDoubt = {
          status: 'found',
          askedAgain: 'uncertain',
          reason: 'known in part; asked for the rest: uncertain (reset)',
        };
        const shown = { ...inDoubt, ticket: before?.ticket, enrichedAt: T0 + 7 };
        expect(await answers(next.id)).toMatchObject([shown]);
        expect(await answers(third.id)).toMatchObject([{ ...shown, result: PHONE_FOUND }]);
        // As two questions: no row has both.
        const cyd = [
          await settled((id) => found(id, PHONE_FOUND, 5, T0 + 7), PHONE, CYD),
          await sent(EMAIL, CYD),
        ] as const;
        await store.recordSubmits([uncertain(cyd[1])]);
        expect(await ingest([lead(2, BOTH, CYD)], third.id)).toMatchObject({
          shared: 1,
          queued: 0,
        });
        expect((await answers(third.id))[1]).toMatchObject({
          ...inDoubt,
          result: PHONE_FOUND,
          enrichedAt: T0 + 7,
        });
        expect((await store.tally(third.id)).askedAgain).toEqual({ uncertain: 2 });
      });

      it('of one part is not hidden by a miss of the others', async () => {
        const one = await sent(EMAIL);
        await store.recordSubmits([uncertain(one)]);
        await take(lead(1, BOTH));
        const phone = await claimOne(next.id);
        await settleAccepted(phone, missed(phone.id));
        expect(await answers(next.id)).toMatchObject([{ status: 'uncertain', reason: 'reset' }]);
        expect((await store.tally(next.id)).byStatus).toMatchObject({ uncertain: 1, not_found: 0 });
        await store.settle([missed(one.id)]);
        expect(await statuses(next.id)).toEqual(['not_found']);
      });

      it('of one part is sent again by what the row shows, and only that part', async () => {
        const one = await sent(EMAIL);
        await store.recordSubmits([uncertain(one)]);
        await take(lead(1, BOTH));
        const phone = await claimOne(next.id);
        await settleAccepted(phone, missed(phone.id));
        expect(await statuses(next.id)).toEqual(['uncertain']);
        expect(await store.retry(next.id, ['not_found'], LATER)).toMatchObject({ awaiting: 0 });
        expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 1 });
        expect(await claim()).toEqual({ ...NOTHING, sent: [EMAIL] });
      });

      it.each([
        ['answered', true],
        ['asked', false],
      ])(
        'of one part is sent by a run that is told so, once, where the rest was %s',
        async (_, isBefore) => {
          await store.recordSubmits([uncertain(await sent(EMAIL))]);
          if (isBefore) {
            await take(lead(1, BOTH));
            const phone = await claimOne(next.id);
            await settleAccepted(phone, found(phone.id, PHONE_FOUND));
          }
          const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
          const times = { ...TIMES, resendUncertain: true };
          expect(await ingest([lead(1, BOTH)], third.id, times)).toMatchObject({ queued: 1 });
          const { claimed } = await store.claim(third.id, 9, T0, LOOKING);
          expect(claimed.map(({ request }) => request.ask)).toEqual([isBefore ? EMAIL : BOTH]);
          await store.recordSubmits(claimed.map((one) => uncertain(one)));
          expect(await ingest([lead(2, BOTH)], third.id, times)).toMatchObject({ shared: 1 });
          expect(await claim({}, T0, third.id)).toEqual(NOTHING);
        },
      );

      it('of one part is not sent a third time by the run that has sent it again', async () => {
        await store.recordSubmits([uncertain(await sent(EMAIL))]);
        const times = { ...TIMES, resendUncertain: true };
        expect(await ingest([lead(1, EMAIL)], next.id, times)).toMatchObject({ queued: 1 });
        await store.recordSubmits([uncertain(await claimOne(next.id))]);
        expect(await ingest([lead(2, BOTH)], next.id, times)).toMatchObject({ queued: 1 });
        expect(await claim()).toEqual({ ...NOTHING, sent: [PHONE] });
      });

      it('of one part is sent again beside the value of the others, which stays in view', async () => {
        const one = await sent(EMAIL);
        await store.recordSubmits([uncertain(one)]);
        await take(lead(1, BOTH));
        const phone = await claimOne(next.id);
        await settleAccepted(phone, found(phone.id, PHONE_FOUND));
        expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 1 });
        const [email] = (await store.claim(next.id, 9, T0, LOOKING)).claimed;
        expect(email?.request.ask).toEqual(EMAIL);
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', result: PHONE_FOUND, askedAgain: 'submitting' },
        ]);
        await settleAccepted(email as ClaimedEnrichment, found(email?.id ?? 0, EMAIL_FOUND));
        const [whole] = await answers(next.id);
        expect(whole).toMatchObject({ result: { ...PHONE_FOUND, ...EMAIL_FOUND }, reason: null });
        expect(whole).not.toHaveProperty('askedAgain');
      });
    });

    it('by the first of two sends, after the second has missed, is for the next run', async () => {
      const one = await sent(EMAIL);
      await store.recordSubmits([uncertain(one)]);
      await take(lead(1, BOTH));
      const phone = await claimOne(next.id);
      await settleAccepted(phone, found(phone.id, PHONE_FOUND));
      await store.retry(next.id, ['uncertain'], LATER);
      const [again] = (await store.claim(next.id, 9, T0, LOOKING)).claimed;
      await settleAccepted(again as ClaimedEnrichment, missed(again?.id ?? 0));
      await store.settle([found(one.id, EMAIL_FOUND, 5, T0 + 7)]);
      const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
      expect(await ingest([lead(1, BOTH)], third.id)).toMatchObject({ cached: 1, queued: 0 });
      expect(await answers(third.id)).toMatchObject([
        { status: 'found', result: { ...PHONE_FOUND, ...EMAIL_FOUND }, credits: 0 },
      ]);
    });

    it('follows: what is found at a second look is found for all that it stands in for', async () => {
      const id = await settled((one) => missed(one));
      await take(lead(1, EMAIL));
      expect(await statuses(next.id)).toEqual(['not_found']);
      await finish(next.id);
      expect(await store.retry(next.id, ['not_found'], LATER)).toMatchObject({ awaiting: 1 });
      expect(await store.awaited(next.id, 9)).toMatchObject([{ id }]);
      await store.settle([found(id, { ...EMAIL_FOUND, ...PHONE_FOUND })]);
      expect(await answers(next.id)).toMatchObject([{ status: 'found', result: EMAIL_FOUND }]);
      expect(await statuses(run.id)).toEqual(['found']);
    });

    it('that has failed is sent anew if the user wants it', async () => {
      await settled((id) => failed(id));
      await take(lead(1, EMAIL));
      await finish(next.id);
      const times = { ...LATER, askAnew: true };
      expect(await store.retry(next.id, ['failed'], times)).toMatchObject({ queued: 1 });
      expect(await claim()).toEqual({ ...NOTHING, sent: [EMAIL] });
    });
  });
}
