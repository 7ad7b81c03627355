// People who must never be asked for: nothing is sent for them by any way, and nothing of them is shown.
import { describe, expect, it } from 'vitest';
import type { Inputs } from '../../src/model/ask.js';
import { createPersonMatch } from '../../src/model/person-match.js';
import { identifiersOf, namedBy } from '../../src/model/suppression.js';
import type { LeadEntry } from '../../src/ports/store/enrichments.js';
import { asked, fingerprintOf, runPlan } from '../helpers/leads.js';
import {
  accepted,
  found,
  refused,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  unsent,
} from './store-bench.js';

const ADA: Inputs = { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'engines.example' };
const ADDRESS: Inputs = { email: 'ada@engines.example' };
const REASON = 'suppressed: asked us to';
const PROFILE = 'https://social.example/in/ada';

/** A lead of these inputs. */
function leadOf(position: number, inputs: Inputs): LeadEntry {
  const who = JSON.stringify(inputs);
  const lead = asked(position, who);
  return lead.kind === 'asked' ? { ...lead, request: { ...lead.request, inputs } } : lead;
}

export function describeSuppressions(bench: StoreBench): void {
  const { answers, claimOne, finish, ingest, store, run } = bench;

  /** The second pass finds enrichments by what the first one has linked. */
  const link = async () => {
    for (let pass = 1; pass <= 2; pass += 1) {
      for (let after: number | null = 0; after !== null; ) {
        ({ last: after } = await store.linkSuppressed(after, 2));
      }
    }
  };
  const suppress = async (inputs: Inputs, reason = 'asked us to') => {
    const added = await suppressed([inputs], reason, T0);
    await link();
    return added;
  };
  const suppressed = (people: Inputs[], reason: string, at: number) =>
    store.suppress(people.map(namedBy), reason, at);
  const suppressionsOf = (people: Inputs[]) => store.suppressionsOf(people.map(identifiersOf));
  const claim = async (runId = run.id) => (await store.claim(runId, 10, T0)).claimed;
  /** One lead more, whose request was accepted. */
  const awaited = async (inputs = ADA, position = 1) => {
    await ingest([leadOf(position, inputs)]);
    const claimed = await claimOne();
    await store.recordSubmits([accepted(claimed)]);
    return claimed.id;
  };
  /** One lead more, which is found under her address and profile. */
  const foundAda = async () => {
    const id = await awaited();
    const result = {
      find_email: { email: 'ada@engines.example', status: 'deliverable' },
      social_enrichment: { socialUrl: PROFILE, positionGroups: [] },
    };
    await store.settle([found(id, result)]);
  };
  /** Another run of the same job, whose terms are those of the bench unless it is said otherwise. */
  const another = async (inputs: Inputs[], times: Partial<typeof TIMES> = {}) => {
    const next = await store.startRun(runPlan({ terms: `t${Math.random()}` }), T0);
    const leads = inputs.map((one, i) => leadOf(i + 1, one));
    const count = await ingest(leads, next.id, { ...TIMES, ...times });
    return { ...next, count };
  };

  describe('whoever is suppressed', () => {
    it('is skipped with the reason when read, and is not claimed', async () => {
      expect(await suppress(ADA)).toBe(1);
      const count = await ingest([leadOf(1, ADA), leadOf(2, { ...ADA, lastName: 'Byron' })]);
      expect(count).toMatchObject({ queued: 1, skipped: 1 });
      expect(await claim()).toHaveLength(1);
      expect(await answers()).toMatchObject([
        { status: 'skipped', reason: REASON, source: null, credits: 0, ask: [], inputs: {} },
        { status: 'submitting' },
      ]);
    });

    it('is never claimed of what was queued before, by whatever identifier, while all others are', async () => {
      const people: Inputs[] = [
        { email: 'ada@engines.example' },
        { socialUrl: PROFILE },
        ADA,
        { ...ADA, email: 'other@engines.example' },
        { email: 'bob@engines.example' },
        { email: 'cyd@other.example' },
      ];
      await ingest(people.map((one, i) => leadOf(i + 1, one)));
      // Not linked: what was queued is found by the claim alone.
      await suppressed([{ ...ADA, ...ADDRESS, socialUrl: PROFILE }], '', T0);
      expect(await store.work(run.id)).toMatchObject({ queued: 6 });
      const claimed = (await store.claim(run.id, 2, T0)).claimed;
      expect(claimed.map(({ request }) => request.inputs)).toEqual(people.slice(4));
      expect(await claim()).toEqual([]);
      expect(await store.work(run.id)).toMatchObject({ queued: 0 });
      const [first, , , , fifth] = await answers();
      expect(first).toMatchObject({ status: 'skipped', reason: 'suppressed', paidBy: null });
      expect(fifth).toMatchObject({ status: 'submitting' });
      await finish();
      expect(await store.tally(run.id)).toMatchObject({ byStatus: { skipped: 4, submitting: 2 } });
    });

    it('is known by an address in any cell of the line, also of one that was queued before', async () => {
      const line = (position: number, cells: LeadEntry['cells']): LeadEntry => ({
        ...leadOf(position, { ...ADA, lastName: `Byron ${position}` }),
        cells,
      });
      const cells = ['Ada', 'Ada <ADA@engines.example>; other@else.example'];
      await ingest([line(1, cells), line(2, ['Ada', 'other@else.example'])]);
      await suppress(ADDRESS);
      const count = await ingest([line(3, cells), line(4, ['Ada', { profiles: [PROFILE] }])]);
      expect(count).toMatchObject({ queued: 1, skipped: 1 });
      const claimed = await claim();
      expect(claimed.map(({ request }) => request.inputs.lastName)).toEqual(['Byron 2', 'Byron 4']);
      const statuses = (await answers()).map(({ status }) => status);
      expect(statuses).toEqual(['skipped', 'submitting', 'skipped', 'submitting']);
      // The address of another column says nothing about the name beside it.
      expect(await suppressionsOf([{ ...ADA, lastName: 'Byron 1' }])).toEqual([[]]);
    });

    it('is not sent when a send that was not accepted, or is uncertain, would be repeated', async () => {
      for (const [i, fate] of ['unsent', 'refused', 'uncertain', 'timed_out'].entries()) {
        await ingest([leadOf(i + 1, { email: `${fate}@engines.example` })]);
        const claimed = await claimOne();
        if (fate === 'unsent') await store.recordSubmits([unsent(claimed)]);
        if (fate === 'refused') await store.recordSubmits([refused(claimed)]);
        if (fate === 'uncertain') await store.recover(run.id);
        if (fate === 'timed_out') {
          await store.recordSubmits([accepted(claimed)]);
          await store.settle([timedOut(claimed.id)]);
        }
        await suppressed([{ email: `${fate}@engines.example` }], '', T0);
      }
      expect(await claim()).toEqual([]);
      await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 });
      await store.retry(run.id, ['failed', 'timed_out', 'uncertain', 'not_found'], {
        at: T0,
        deadlineAt: T0 + 9,
        askAnew: true,
      });
      expect(await claim()).toEqual([]);
      await link();
      expect(
        await store.retry(run.id, ['failed', 'uncertain'], { ...TIMES, askAnew: true }),
      ).toEqual({ queued: 0, awaiting: 0, answered: 0 });
      expect((await answers()).map(({ status }) => status)).toEqual(Array(4).fill('skipped'));
    });

    it('is not sent by another run that takes the work over', async () => {
      await ingest([leadOf(1, ADA)]);
      await suppressed([ADA], '', T0);
      const next = await store.startRun(runPlan({ job: 'other' }), T0);
      expect(await ingest([leadOf(1, ADA)], next.id)).toMatchObject({ queued: 0, skipped: 1 });
      await store.adopt(next.id, 0);
      expect(await claim(next.id)).toEqual([]);
    });

    it('shows nothing of an answer that is awaited, which is settled and stays on the bill', async () => {
      const id = await awaited();
      await suppress(ADA);
      expect(await store.work(run.id)).toMatchObject({ awaiting: 1 });
      expect(await store.settle([found(id)])).toMatchObject([{ id }]);
      const nothing = { result: null, ticket: null, enrichedAt: null };
      expect(await answers()).toMatchObject([
        { ...nothing, status: 'skipped', reason: REASON, credits: 5 },
      ]);
      expect(await store.tally(run.id)).toMatchObject({ credits: 5, fromCache: 0 });
    });

    it('shows nothing in rows of earlier runs, and no older answer', async () => {
      await foundAda();
      await finish();
      const next = await another([ADA], { freshSince: T0 + 1 });
      expect(next.count).toMatchObject({ queued: 1 });
      expect(await answers(next.id)).toMatchObject([{ status: 'found' }]);
      await suppress(ADDRESS);
      for (const id of [run.id, next.id]) {
        expect(await answers(id)).toMatchObject([{ status: 'skipped', result: null }]);
      }
      const { leads } = await store.lineHistory(run.id, 2, null);
      expect(leads[0]?.enrichment).toMatchObject({
        isSuppressed: true,
        result: null,
        reason: REASON,
      });
    });

    it('is known by all that the state links to an identifier that was given', async () => {
      await foundAda();
      await finish();
      await suppress(ADDRESS);
      const inputs = [ADA, { socialUrl: PROFILE }, { email: 'ADA@engines.example' }];
      const next = await another([...inputs, { email: 'bob@engines.example' }]);
      expect(next.count).toMatchObject({ queued: 1, skipped: 3 });
      const [one] = await store.suppressions(0, 10);
      expect(one).toMatchObject({
        reason: 'asked us to',
        at: T0,
        identifiers: { email: 1, name: 1, profile: 1 },
      });
    });

    it('links nobody to people who merely share an identifier that was linked', async () => {
      const [bob, office] = [
        { firstName: 'Bob', lastName: 'Noyce', companyDomain: 'engines.example' },
        'office@engines.example',
      ];
      for (const [i, inputs] of [ADA, bob].entries()) {
        const id = await awaited(inputs, i + 1);
        await store.settle([found(id, { find_email: { email: office } })]);
      }
      await suppress(ADA);
      await link();
      // His row shows the address of someone suppressed no more, and he may be asked for.
      expect((await answers()).map(({ status }) => status)).toEqual(['skipped', 'skipped']);
      const email = { email: 'bob@engines.example' };
      expect(await suppressionsOf([bob, email, { email: office }])).toMatchObject([
        [],
        [],
        [{ id: 1 }],
      ]);
    });

    it('is found when an answer brings the address, and known by the question from then on', async () => {
      await suppress(ADDRESS);
      await foundAda();
      expect(await answers()).toMatchObject([{ status: 'skipped', result: null, credits: 5 }]);
      expect(await suppressionsOf([ADA])).toMatchObject([[{ reason: 'asked us to' }]]);
    });

    it('is known by any input of a lead, where the request has fewer', async () => {
      await suppress(ADDRESS);
      const lead = leadOf(1, { companyDomain: 'engines.example' });
      const known = { companyDomain: 'engines.example', ...ADDRESS };
      expect(await ingest([{ ...lead, known } as LeadEntry])).toMatchObject({ skipped: 1 });
    });

    it('stays so when forgotten and pruned', async () => {
      await foundAda();
      await finish();
      await suppress(ADDRESS);
      const match = createPersonMatch([{ kind: 'email', spellings: ['ada@engines.example'] }]);
      await store.forget(match, T0, true);
      await store.startRun(runPlan(), T0);
      const times = { at: T0 + 9, before: T0 + 9, freshSince: T0 + 9 };
      await store.prune(times, true);
      expect((await another([ADA, { socialUrl: PROFILE }])).count).toMatchObject({ skipped: 2 });
    });

    it('is asked for again, and shown, once no suppression is left', async () => {
      await foundAda();
      await suppress(ADDRESS);
      await suppress({ socialUrl: PROFILE }, 'again');
      expect(await store.unsuppress([1])).toBe(1);
      expect(await answers()).toMatchObject([{ status: 'skipped', reason: 'suppressed: again' }]);
      expect(await store.unsuppress([1])).toBe(0);
      expect(await store.unsuppress([2])).toBe(1);
      expect(await answers()).toMatchObject([{ status: 'found', credits: 5, reason: null }]);
      expect(await store.suppressions(0, 10)).toEqual([]);
      expect((await another([ADA])).count).toMatchObject({ cached: 1 });
    });

    it('is sent after all, once what was queued is not suppressed any more', async () => {
      await ingest([leadOf(1, ADA)]);
      await suppress(ADA);
      expect(await claim()).toEqual([]);
      await store.unsuppress([1]);
      expect(await claim()).toHaveLength(1);
    });
  });

  it('a domain suppresses all people of it, and of the domains below, by address, profile or company', async () => {
    await suppress({ companyDomain: 'engines.example' });
    const [bob, eve] = ['Bob', 'Eve'].map((firstName) => ({ firstName, lastName: 'Noyce' }));
    const { count } = await another([
      { email: 'bob@engines.example' },
      { email: 'bob@mail.engines.example' },
      { socialUrl: 'https://www.engines.example/team/bob' },
      { ...bob, companyDomain: 'engines.example' },
      { companyDomain: 'engines.example' },
      { email: 'bob@notengines.example' },
      { ...eve, companyDomain: 'other.example' },
    ]);
    expect(count).toMatchObject({ skipped: 5, queued: 2 });
    expect(await store.suppressions(0, 10)).toMatchObject([{ identifiers: { domain: 1 } }]);
  });

  it('an address suppresses nobody else of its domain', async () => {
    await suppress(ADDRESS);
    expect(await suppressionsOf([{ companyDomain: 'engines.example' }])).toEqual([[]]);
  });

  it('the same person is added once, and no text of a person is kept', async () => {
    expect(await suppressed([ADA, ADA], 'one', T0)).toBe(1);
    expect(await suppressed([ADA], 'two', T0 + 1)).toBe(0);
    expect(await suppressed([{ ...ADA, ...ADDRESS }], '', T0 + 2)).toBe(1);
    expect(await suppressed([{ firstName: 'Ada' }], '', T0)).toBe(0);
    expect(await store.suppressions(0, 1)).toEqual([
      { id: 1, reason: 'one', at: T0, identifiers: { name: 1 } },
    ]);
    expect(await store.suppressions(1, 10)).toMatchObject([{ id: 2, identifiers: { email: 1 } }]);
    expect(fingerprintOf('ada')).toHaveLength(16);
  });
}
