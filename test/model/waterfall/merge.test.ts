import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../../src/identity/domain-owner.js';
import { registrableDomain } from '../../../src/identity/registrable-domain.js';
import type { LeadAnswer, LeadStatus } from '../../../src/model/answer.js';
import { chooseColumns, chosenCells } from '../../../src/model/columns/choose-columns.js';
import { flattenAnswer } from '../../../src/model/columns/flatten-answer.js';
import { outputColumns } from '../../../src/model/columns/output-columns.js';
import { mergeAnswers } from '../../../src/model/waterfall/merge.js';
import { questionOf, SET_ASIDE, type StepAnswers } from '../../../src/model/waterfall/waterfall.js';
import { tries } from '../../helpers/long.js';
import {
  address,
  answered,
  aWay,
  HELD,
  NOTHING_ASKED,
  OPEN,
  sentAs,
  verdict,
  WANTED,
  type Way,
  waterfall,
} from './answers.js';

const RULES = { registrableDomain, domainOwner };

const EMAIL = ['find_email'];
const VERIFY = ['verify_email'];
const MISS = answered('not_found', {});
const risky = answered('found', address('ada@a.example', 'risky'), { credits: 5, ticket: 'r' });

const merge = (steps: readonly (readonly string[])[], ...answers: StepAnswers): LeadAnswer =>
  mergeAnswers(HELD, answers, waterfall(steps), WANTED);
const merged = ({ answers, waterfall: steps, wanted }: Way): LeadAnswer =>
  mergeAnswers(HELD, answers, steps, wanted);

describe('the row of a lead', () => {
  it('is that of the lead itself before any step has it', () => {
    const { provenance, steps, ...row } = merge([EMAIL, EMAIL]);
    expect(row).toEqual({ ...HELD, status: 'queued' });
    expect(provenance?.tried).toEqual([]);
    expect(steps).toEqual([]);
  });

  it('says where each value is from, when it was found, and what was tried', () => {
    const phone = { find_phone: { phone: '+1' } };
    const found = answered('found', phone, { enrichedAt: 3, credits: 20, ticket: 'p' });
    const row = merge(
      [WANTED, WANTED, VERIFY, EMAIL],
      found,
      risky,
      verdict('ada@a.example', 'deliverable'),
      NOTHING_ASKED,
    );
    expect(row).toMatchObject({ status: 'found', reason: null, credits: 25, ticket: 'r' });
    expect(row.result).toEqual({ ...phone, ...address('ada@a.example', 'deliverable') });
    expect(row.provenance).toEqual({
      email: { step: 's1', at: 1_000 },
      emailVerifiedBy: 's2',
      phone: { step: 's0', at: 3 },
      profile: undefined,
      tried: [
        { step: 's0', outcome: 'found' },
        { step: 's1', outcome: 'risky' },
        { step: 's2', outcome: 'accepted' },
      ],
    });
  });

  it('has the columns of what was asked, and says where the values of a custom ask are from', () => {
    const ask = ['find_email', 'firm'];
    const custom = {
      firm: { about: '', fields: { size: { type: 'integer', about: '' } } },
    } as const;
    const of = waterfall([['find_email'], ask]);
    const answers = [
      answered('not_found', {}, { ask: ['find_email'] }),
      answered('found', { custom: { firm: { size: 7 } } }, { ask }),
    ];
    const merged = mergeAnswers(HELD, answers, of, ask);
    const shape = { kind: 'current' } as const;
    const columns = outputColumns([], shape, { custom, isWaterfall: true });
    const chosen = chooseColumns(columns, { ask });
    const [row = []] = flattenAnswer({ ...merged, cells: [] }, 0, shape, RULES, custom);
    const cells = chosen.map(
      ({ column }, n) => [column.name, chosenCells(row, chosen)[n]] as const,
    );
    const ofSteps = cells.filter(([name]) => /_(from|found_at)$|tried/.test(name));
    expect(ofSteps).toEqual([
      ['email_from', null],
      ['email_found_at', null],
      ['firm_from', 's1'],
      ['firm_found_at', '1970-01-01T00:00:01.000Z'],
      ['sluice_tried', 's0:not_found s1:found'],
    ]);
  });

  it('is no miss where a step was set aside, or has not answered and was not waited for', () => {
    const aside = { ...NOTHING_ASKED, reason: SET_ASIDE };
    const hit = answered('found', address('ada@a.example', 'deliverable'));
    const lost = answered('uncertain', null, { reason: 'reset' });
    const late = answered('timed_out', null, { reason: 'no answer' });
    const triedOf = ({ provenance }: LeadAnswer) =>
      provenance?.tried.map(({ outcome }) => outcome).join(' ');
    const cases = [
      [aside, MISS, 'failed', `s0: ${SET_ASIDE}`, 'unavailable not_found'],
      [MISS, aside, 'failed', `s1: ${SET_ASIDE}`, 'not_found unavailable'],
      [aside, hit, 'found', null, 'unavailable found'],
      [lost, MISS, 'uncertain', 's0: reset', 'uncertain not_found'],
      [late, hit, 'found', null, 'timed_out found'],
      [late, aside, 'timed_out', 's0: no answer', 'timed_out unavailable'],
      // The last step has nothing after it.
      [MISS, lost, 'uncertain', 's1: reset', 'not_found uncertain'],
    ] as const;
    for (const [first, second, status, reason, tried] of cases) {
      const row = merge([EMAIL, EMAIL], first, second);
      expect({ status: row.status, reason: row.reason, tried: triedOf(row) }).toEqual({
        status,
        reason,
        tried,
      });
    }
    expect(merge([EMAIL, EMAIL], aside)).toMatchObject({ status: 'queued' });
    // Asked for again by the user, it is waited for whatever came after it.
    const again = answered('awaiting', null);
    expect(merge([EMAIL, EMAIL], again, MISS)).toMatchObject({ status: 'awaiting' });
  });

  it('shows a held address if nothing better came, and says that it is held', () => {
    const row = merge([EMAIL, EMAIL], risky, MISS);
    expect(row).toMatchObject({
      status: 'found',
      reason: 's0: the address is risky, and no step found a better one',
      result: address('ada@a.example', 'risky'),
    });
    // As long as a step may find one, it is not known that none did.
    expect(merge([EMAIL, EMAIL], risky)).toMatchObject({ status: 'queued', reason: null });
    expect(merge([EMAIL, EMAIL], risky, answered('awaiting'))).toMatchObject({
      status: 'awaiting',
      reason: null,
    });
  });

  const ended = (status: LeadStatus, reason: string) => answered(status, null, { reason });
  const [no, nor] = [ended('failed', 'no'), ended('failed', 'nor')];
  it.each<[string, StepAnswers, string, string | null]>([
    ['misses', [MISS, MISS], 'not_found', null],
    ['a miss and a failure', [no, MISS], 'not_found', null],
    ['failures', [no, nor], 'failed', 's0: no'],
    ['leads without inputs', [ended('skipped', 'x'), ended('skipped', 'y')], 'skipped', 's0: x'],
    ['an uncertain send', [ended('uncertain', 'reset')], 'uncertain', 's0: reset'],
    ['a late one', [MISS, ended('timed_out', 'late')], 'timed_out', 's1: late'],
  ])('of %s', (_, answers, status, reason) => {
    expect(merge([EMAIL, EMAIL], ...answers)).toMatchObject({ status, reason, result: null });
  });

  it('stays open while a step is asked again, and keeps the values of the older answer', () => {
    const good = answered('found', address('ada@a.example', 'deliverable'));
    const reason = 'an older answer; asked again: uncertain';
    const again = { ...good, askedAgain: 'uncertain', reason } as const;
    expect(merge([EMAIL, EMAIL], again)).toMatchObject({
      status: 'found',
      askedAgain: 'uncertain',
      reason: `s0: ${reason}`,
      result: good.result,
    });
    // A miss says nothing as long as the steps after it have not been asked.
    const missed = { ...MISS, askedAgain: 'queued', reason: null } as const;
    expect(merge([EMAIL, EMAIL], missed)).toMatchObject({ status: 'queued', result: null });
    expect(merge([EMAIL, EMAIL], missed)).not.toHaveProperty('askedAgain');
  });

  it('is open until every step has ended, or has nothing to ask, and then found where it has a value', () => {
    fc.assert(
      fc.property(aWay, (way) => {
        const { status, result } = merged(way);
        const { answers, wanted, waterfall } = way;
        const isOpen = answers.some((one, i) =>
          one === undefined
            ? questionOf(waterfall, i, answers.slice(0, i), wanted).kind !== 'none'
            : OPEN.includes(one.status),
        );
        expect([...OPEN]).toEqual(
          isOpen ? expect.arrayContaining([status]) : expect.not.arrayContaining([status]),
        );
        if (!isOpen) expect(status === 'found').toBe(result !== null);
      }),
      { numRuns: tries(2_000) },
    );
  });

  it('has each block from one step, which was asked for it, the first that has it', () => {
    fc.assert(
      fc.property(aWay, (way) => {
        const { provenance, result } = merged(way);
        const {
          answers,
          waterfall: { steps },
        } = way;
        for (const [block, origin] of [
          ['find_phone', provenance?.phone],
          ['social_enrichment', provenance?.profile],
        ] as const) {
          const from = answers.findIndex((one) => one?.ask.includes(block) && one.result?.[block]);
          expect(origin?.step).toBe(steps[from]?.name);
          expect(result?.[block]).toEqual(answers[from]?.result?.[block]);
          expect(origin?.at).toBe(answers[from]?.enrichedAt);
        }
        const at = steps.findIndex(({ name }) => name === provenance?.email?.step);
        expect(result?.find_email?.email).toBe(answers[at]?.result?.find_email?.email);
      }),
      { numRuns: tries(2_000) },
    );
  });

  it('loses no accepted value to a later answer', () => {
    fc.assert(
      fc.property(aWay, (way) => {
        const whole = merged(way);
        for (const step of way.answers.keys()) {
          const answers = way.answers.map((one, n) => (n <= step ? one : undefined));
          const { provenance, result } = merged({ ...way, answers });
          const { status } = result?.find_email ?? {};
          const isAccepted =
            result?.find_email !== undefined &&
            way.waterfall.accept.some((one) => one === (status ?? one));
          if (result?.find_phone) expect(whole.result?.find_phone).toEqual(result.find_phone);
          if (result?.social_enrichment) {
            expect(whole.result?.social_enrichment).toEqual(result.social_enrichment);
          }
          // An accepted address that is verified may turn out to be wrong.
          if (!isAccepted || way.waterfall.verify === 'all') continue;
          expect(whole.result?.find_email).toEqual(result.find_email);
          expect(whole.provenance?.email).toEqual(provenance?.email);
        }
      }),
      { numRuns: tries(2_000) },
    );
  });

  it('never shows an address of which the last word is that it is undeliverable', () => {
    fc.assert(
      fc.property(aWay, (way) => {
        const { result } = merged(way);
        const { email, status } = result?.find_email ?? {};
        expect(status).not.toBe('undeliverable');
        if (email === undefined) return;
        const said = way.answers.map((one) => one?.result?.find_email?.status);
        const last = way.answers.findLastIndex(
          (one, n) =>
            way.waterfall.steps[n]?.verifies &&
            one?.inputs.email === sentAs(email) &&
            said[n] !== undefined,
        );
        if (last === -1) return;
        // A finder that was asked after the verdict may know it better.
        const later = way.answers.flatMap((one, n) =>
          n > last && sentAs(one?.result?.find_email?.email ?? '') === sentAs(email) ? said[n] : [],
        );
        expect([said[last], ...later]).toContain(status);
        expect(said[last]).not.toBe('undeliverable');
      }),
      { numRuns: tries(2_000) },
    );
  });

  it('costs what its steps cost, and tells each that was asked', () => {
    fc.assert(
      fc.property(aWay, (way) => {
        const { credits, provenance } = merged(way);
        const asked = way.answers.flatMap((one) =>
          one && one.status !== 'not_asked' ? [one] : [],
        );
        const thousandths = asked.reduce((sum, one) => sum + Math.round(one.credits * 1000), 0);
        expect(Math.round(credits * 1000)).toBe(thousandths);
        const untried = ['not_asked', 'queued', 'skipped'];
        const names = way.waterfall.steps
          .filter((_, n) => !untried.includes(way.answers[n]?.status ?? 'not_asked'))
          .map(({ name }) => name);
        expect(provenance?.tried.map(({ step }) => step)).toEqual(names);
      }),
      { numRuns: tries(1_000) },
    );
  });
});
