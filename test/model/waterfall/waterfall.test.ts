import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeadAnswer } from '../../../src/model/answer.js';
import type { EmailStatus } from '../../../src/model/result.js';
import { mergeAnswers } from '../../../src/model/waterfall/merge.js';
import {
  foundAddresses,
  NOT_NEEDED,
  questionOf,
  type StepAnswers,
  type Waterfall,
} from '../../../src/model/waterfall/waterfall.js';
import { tries } from '../../helpers/long.js';
import {
  address,
  answered,
  aWay,
  HELD,
  NOTHING_ASKED,
  sentAs,
  verdict,
  waterfall,
} from './answers.js';

const EMAIL = ['find_email'];
const BOTH = ['find_email', 'find_phone'];
const VERIFY = ['verify_email'];
const MISS = answered('not_found', {});
const risky = answered('found', address('ada@a.example', 'risky'));
const good = answered('found', address('ada@a.example', 'deliverable'));

describe('the question of a step', () => {
  it('is for all that it may send, while nothing is found', () => {
    const steps = waterfall([EMAIL, BOTH, ['find_phone', 'social_enrichment']]);
    expect(questionOf(steps, 0, [], BOTH)).toEqual({ kind: 'find', ask: EMAIL });
    expect(questionOf(steps, 1, [MISS], BOTH)).toEqual({ kind: 'find', ask: BOTH });
    expect(questionOf(steps, 2, [MISS, MISS], BOTH)).toEqual({ kind: 'find', ask: ['find_phone'] });
  });

  it.each<[string, StepAnswers, string[] | null]>([
    ['an accepted address', [good], ['find_phone']],
    ['one that is not accepted', [risky], BOTH],
    ['one without a status', [answered('found', address('ada@a.example'))], ['find_phone']],
    ['an undeliverable one', [answered('found', address('a@b.example', 'undeliverable'))], BOTH],
    ['a phone number', [answered('found', { find_phone: { phone: '+1' } })], EMAIL],
    ['both', [answered('found', { ...good.result, find_phone: { phone: '+1' } })], null],
    ['a failure', [answered('failed')], BOTH],
    ['nothing to ask', [answered('skipped', null, { reason: 'x' })], BOTH],
    ['an address that was not asked for', [{ ...good, ask: ['find_phone'] }], BOTH],
    [
      'a phone number that was not asked for',
      [answered('found', { find_phone: { phone: '+1' } }, { ask: EMAIL })],
      BOTH,
    ],
  ])('after %s', (_, answers, ask) => {
    const steps = waterfall([BOTH, BOTH]);
    expect(questionOf(steps, 1, answers, BOTH)).toEqual(
      ask === null ? { kind: 'none', why: NOT_NEEDED } : { kind: 'find', ask },
    );
  });

  it('is for no other address where one is accepted by the word of the platform', () => {
    const steps = waterfall([EMAIL, EMAIL], { accept: ['deliverable', 'catch_all_safe'] });
    const after = (status: EmailStatus, platformStatus: string) =>
      questionOf(
        steps,
        1,
        [answered('found', { find_email: { email: 'a@b.example', status, platformStatus } })],
        EMAIL,
      ).kind;
    expect(after('risky', 'catch_all_safe')).toBe('none');
    expect(after('risky', 'catch_all')).toBe('find');
    // What Sluice calls otherwise is not meant.
    expect(after('risky', 'deliverable')).toBe('find');
  });

  it('is for another address where the first comes with another company, if the job says so', () => {
    const profile = (companyDomain: string) => ({ companyDomain, positionGroups: [] });
    const found = (domain: string) =>
      answered('found', { ...good.result, social_enrichment: profile(domain) });
    const [loose, strict] = [false, true].map((is) =>
      waterfall([BOTH, EMAIL], is ? { companyMatches: true } : {}),
    ) as [Waterfall, Waterfall];
    const after = (steps: Waterfall, answer: LeadAnswer) => questionOf(steps, 1, [answer], EMAIL);
    for (const answer of [good, found('www.example.com')]) {
      expect(after(strict, answer).kind).toBe('none');
    }
    expect(after(loose, found('other.example')).kind).toBe('none');
    expect(after(strict, found('other.example'))).toEqual({ kind: 'find', ask: EMAIL });
    const answers = [found('other.example'), MISS];
    expect(foundAddresses(strict, answers)[0]).toMatchObject({ stand: 'held', isOfOther: true });
    expect(mergeAnswers(HELD, answers, strict, EMAIL)).toMatchObject({
      status: 'found',
      reason: 's0: the address is of another company, and no step found a better one',
    });
  });

  it('looks for an address again where one was rejected, and not where it was accepted', () => {
    const steps = waterfall([EMAIL, VERIFY, EMAIL]);
    const after = (...answers: StepAnswers) => questionOf(steps, 2, answers, EMAIL);
    expect(after(risky, verdict('ada@a.example', 'undeliverable'))).toEqual({
      kind: 'find',
      ask: EMAIL,
    });
    expect(after(risky, verdict('ada@a.example', 'risky'))).toMatchObject({ kind: 'find' });
    expect(after(risky, verdict('ada@a.example', 'deliverable'))).toMatchObject({ kind: 'none' });
    // A verdict that says less than the finder still is the last word.
    const all = waterfall([EMAIL, VERIFY, EMAIL], { verify: 'all' });
    const doubted = [good, verdict('ada@a.example', 'undeliverable')];
    expect(questionOf(all, 2, doubted, EMAIL)).toMatchObject({ kind: 'find' });
  });

  it.each(['ada@a.example', 'ADA@A.example', 'jörg@müller.example', 'o’neil@a.example'])(
    'is not about %s once more, which was verified',
    (email) => {
      const steps = waterfall([EMAIL, VERIFY, VERIFY]);
      const found = answered('found', address(email, 'risky'));
      expect(questionOf(steps, 1, [found], EMAIL)).toEqual({ kind: 'verify', address: email });
      const sent = sentAs(email).replace('’', "'");
      const answers = [found, verdict(sent, 'risky')];
      expect(questionOf(steps, 2, answers, EMAIL)).toEqual({ kind: 'none', why: NOT_NEEDED });
      expect(foundAddresses(steps, answers)).toMatchObject([{ verifiedBy: 1, status: 'risky' }]);
    },
  );

  it.each<[string, StepAnswers, object]>([
    ['nothing was found', [MISS], { kind: 'none' }],
    ['the address is accepted', [good], { kind: 'none', why: NOT_NEEDED }],
    [
      'only a phone number was',
      [answered('found', { find_phone: { phone: '+1' } })],
      { kind: 'none' },
    ],
    [
      'the address is rejected',
      [answered('found', address('a@b.example', 'undeliverable'))],
      { kind: 'none' },
    ],
    ['the address is held', [risky], { kind: 'verify', address: 'ada@a.example' }],
  ])('to verify, where %s', (_, answers, question) => {
    expect(questionOf(waterfall([BOTH, VERIFY]), 1, answers, BOTH)).toMatchObject(question);
  });

  it('to verify is for each address where all are to be', () => {
    const all = waterfall([BOTH, VERIFY], { verify: 'all' });
    expect(questionOf(all, 1, [good], BOTH)).toEqual({ kind: 'verify', address: 'ada@a.example' });
    expect(questionOf(all, 1, [good], ['find_phone'])).toMatchObject({ kind: 'none' });
  });

  it('is the same for the same answers, and hangs on no later ones', () => {
    fc.assert(
      fc.property(aWay, ({ waterfall: steps, wanted, answers, questions }) => {
        for (const [step, question] of questions.entries()) {
          const before = structuredClone(answers.slice(0, step));
          expect(questionOf(steps, step, before, wanted)).toEqual(question);
        }
      }),
      { numRuns: tries(1_000) },
    );
  });

  it('asks for nothing that an earlier step has an accepted value for, and only for what is wanted', () => {
    fc.assert(
      fc.property(aWay, ({ waterfall: { accept, steps }, wanted, answers, questions }) => {
        for (const [index, question] of questions.entries()) {
          const before = answers.slice(0, index);
          if (question.kind !== 'find') continue;
          for (const ask of question.ask) {
            expect(wanted).toContain(ask);
            expect(steps[index]?.ask).toContain(ask);
            const earlier = before.filter(
              (one, n) => steps[n]?.verifies === false && one?.ask.includes(ask),
            );
            if (ask === 'find_phone')
              expect(earlier.filter((one) => one?.result?.find_phone)).toEqual([]);
            if (ask === 'social_enrichment') {
              expect(earlier.filter((one) => one?.result?.social_enrichment)).toEqual([]);
            }
            if (ask !== 'find_email') continue;
            for (const one of earlier) {
              const { email, status } = one?.result?.find_email ?? {};
              if (email === undefined) continue;
              const words = before.flatMap((other, n) =>
                steps[n]?.verifies === true && other?.inputs.email === sentAs(email)
                  ? (other.result?.find_email?.status ?? [])
                  : [],
              );
              const word = words.at(-1) ?? status ?? 'deliverable';
              if (word !== 'deliverable' || status !== undefined || words.length > 0) {
                expect(accept).not.toContain(word);
              }
            }
          }
        }
      }),
      { numRuns: tries(2_000) },
    );
  });

  it('verifies each address once, and only held ones unless all are to be', () => {
    fc.assert(
      fc.property(aWay, ({ waterfall: steps, answers, questions }) => {
        const verified = new Set<string>();
        for (const [index, question] of questions.entries()) {
          if (question.kind !== 'verify') continue;
          const found = foundAddresses(steps, answers.slice(0, index));
          const about = found.find((one) => one.address === question.address);
          if (steps.verify === 'open') expect(about?.stand).toBe('held');
          expect(about?.stand).not.toBe('rejected');
          expect(verified).not.toContain(sentAs(question.address));
          if (answers[index]?.status === 'found') verified.add(sentAs(question.address));
        }
      }),
      { numRuns: tries(2_000) },
    );
  });
});

describe('the addresses that were found', () => {
  it('come with the best first, and of two equal ones the earlier', () => {
    const steps = waterfall([EMAIL, EMAIL, EMAIL, EMAIL, EMAIL]);
    const answers = (['unknown', 'undeliverable', 'risky', 'risky', 'deliverable'] as const).map(
      (status, n) => answered('found', address(`${n}@a.example`, status)),
    );
    expect(foundAddresses(steps, answers).map(({ step }) => step)).toEqual([4, 2, 3, 0, 1]);
    expect(foundAddresses(steps, answers).map(({ stand }) => stand)).toEqual([
      'accepted',
      'held',
      'held',
      'held',
      'rejected',
    ]);
  });

  it('are those of finders alone, that were asked for one', () => {
    const steps = waterfall([EMAIL, VERIFY, ['find_phone']]);
    const about = verdict('ada@b.example', 'deliverable');
    const aside = answered('found', address('c@c.example'), { ask: ['find_phone'] });
    expect(foundAddresses(steps, [MISS, about, aside])).toEqual([]);
    expect(foundAddresses(steps, [undefined, NOTHING_ASKED, undefined])).toEqual([]);
  });

  it('take the last verdict on them, whoever found them', () => {
    const steps = waterfall([EMAIL, EMAIL, VERIFY, VERIFY], { verify: 'all' });
    const other = answered('found', address('ADA@a.example', 'unknown'));
    const said = [
      verdict('ada@a.example', 'deliverable'),
      verdict('ada@a.example', 'undeliverable'),
    ];
    expect(foundAddresses(steps, [risky, other, ...said])).toMatchObject([
      { step: 0, status: 'undeliverable', verifiedBy: 3, stand: 'rejected' },
      { step: 1, status: 'undeliverable', verifiedBy: 3, stand: 'rejected' },
    ]);
    expect(foundAddresses(steps, [risky, other, said[0], MISS])).toMatchObject([
      { step: 0, status: 'deliverable', verifiedBy: 2, stand: 'accepted' },
      { step: 1, verifiedBy: 2 },
    ]);
  });

  it('take the better word of a finder that comes after the verdict, unless that rejects them', () => {
    const steps = waterfall([EMAIL, VERIFY, EMAIL, VERIFY], { verify: 'all' });
    const after = (...answers: StepAnswers) => foundAddresses(steps, answers)[0];
    const doubted = verdict('ada@a.example', 'risky');
    const again = answered('found', address('ADA@a.example', 'deliverable'));
    expect(after(risky, doubted, again)).toEqual({
      address: 'ADA@a.example',
      step: 2,
      status: 'deliverable',
      verifiedBy: undefined,
      stand: 'accepted',
    });
    const judged = { step: 0, status: 'risky', verifiedBy: 1, stand: 'held' };
    for (const status of ['unknown', undefined] as const) {
      const other = answered('found', address('ada@a.example', status));
      expect(after(risky, doubted, other)).toMatchObject(judged);
    }
    expect(after(risky, verdict('ada@a.example', 'undeliverable'), again)).toMatchObject({
      stand: 'rejected',
    });
    // A verdict that comes after both is the last word.
    const last = verdict('ada@a.example', 'unknown');
    expect(after(risky, doubted, again, last)).toMatchObject({ status: 'unknown', verifiedBy: 3 });
  });

  it('end the search where a later step delivers one at a better status', () => {
    const steps = waterfall([EMAIL, VERIFY, EMAIL, EMAIL]);
    const answers = [risky, verdict('ada@a.example', 'risky'), good];
    expect(questionOf(steps, 3, answers, EMAIL)).toEqual({ kind: 'none', why: NOT_NEEDED });
  });
});
