// Tells what is known of a person, and whether they are suppressed. It shows personal data: the user may read the state,
// and asked for it.
import type { KnownAnswer, KnownOfPerson, ShownIn } from '../app/results/known-of-person.js';
import type { Result } from '../model/result.js';
import { IDENTIFIER_KINDS } from '../model/suppression.js';
import { cutText, formatCount } from '../model/text/count.js';
import type { Suppression } from '../ports/store/suppressions.js';
import type { Fact, Page, Part, Value } from './page.js';
import { factsOf, listPage, notes } from './shared.js';

export function tellKnown({ answers, isCut, suppressions }: KnownOfPerson): Page {
  const more = isCut ? ', and more' : '';
  return {
    title: 'What is known of a person',
    parts: [
      ...notes(
        answers.length === 0
          ? 'Nothing is known of them.'
          : `Known of them: ${formatCount(answers.length, 'enrichment')}${more}`,
      ),
      ...answers.map(
        (one): Part => ({ kind: 'facts', title: `Enrichment ${one.id}`, facts: answerFacts(one) }),
      ),
      ...notes(suppressedText(suppressions)),
    ],
    data: {
      suppressed: suppressions.length > 0,
      suppressions: suppressions.map(suppressionData),
      more: isCut,
      known: answers.map((one) => ({
        enrichment: one.id,
        status: one.state,
        reason: one.reason,
        ask: one.request.ask,
        inputs: new Map(Object.entries(one.request.inputs)),
        imported: one.isImported,
        account: one.account,
        run: one.runId,
        job: one.job,
        askedAt: one.submittedAt,
        answeredAt: one.settledAt,
        credits: one.credits,
        result: one.result && new Map(Object.entries(one.result)),
        shownIn: one.shownIn.map(({ list, name: _name, ...shown }) => ({
          ...shown,
          list: list && { name: list.name, id: list.listId },
        })),
        shownCount: one.leadCount,
      })),
    },
  };
}

function answerFacts({ reason, result, settledAt, shownIn, ...one }: KnownAnswer): Fact[] {
  const at: Value = settledAt === null ? null : [', at ', { at: settledAt }];
  const left = one.leadCount - shownIn.length;
  const how = `${one.isImported ? 'imported ' : ''}by run ${one.name}${ofJob(one.job)}`;
  const outcome = `${one.state}${reason === null ? '' : `: ${reason}`}`;
  return [
    ...factsOf(
      ['asked', `${one.request.ask.join(', ')}, ${how}`],
      ['account', one.account && `id-${one.account}`],
      ['outcome', [outcome, at, `; ${formatCount(one.credits, 'credit')}`]],
    ),
    ...(result === null ? [] : resultFacts(result)),
    ...shownIn.flatMap(shownFacts),
    ...factsOf(['shown in', left > 0 ? formatCount(left, 'more line') : null]),
  ];
}

function shownFacts({ file, job, line, list, name, tables }: ShownIn): Fact[] {
  const id = list?.listId ?? null;
  return factsOf(
    ['shown in', `line ${line}${file === null ? '' : ` of ${file}`}, run ${name}${ofJob(job)}`],
    ...tables.map((one) => ['table', one] as const),
    ['list', list && `"${list.name}"${id === null ? '' : ` (${id})`}, if chosen for it`],
  );
}

function ofJob(job: string | null): string {
  return job === null ? '' : ` of ${job}`;
}

/** A profile by its address alone. */
function resultFacts({ custom = {}, find_email, find_phone, social_enrichment }: Result): Fact[] {
  const email = [find_email?.email, find_email?.status].filter((one) => one !== undefined);
  const told: readonly (readonly [string, string | undefined])[] = [
    ['e-mail', email.length === 0 ? undefined : email.join(', ')],
    ['phone', find_phone?.phone],
    ['profile', social_enrichment && (social_enrichment.socialUrl ?? 'without an address')],
    ...Object.entries(custom).map(
      ([ask, values]) => [ask, Object.values(values).join(', ')] as const,
    ),
  ];
  return factsOf(
    ...told.map(([name, text]) => [name, text === undefined ? null : cutText(text, 200)] as const),
  );
}

/** `Suppressed since 2026-01-02 10:00 (UTC), number 3: asked us to.` */
function suppressedText(some: readonly Suppression[]): Value {
  if (some.length === 0) return 'Not suppressed.';
  return some.map(({ at, id, reason }, n) => [
    `${n === 0 ? '' : ' '}Suppressed since `,
    { at },
    `, number ${id}${reason === '' ? '' : `: ${reason}`}.`,
  ]);
}

export function tellSuppressions(all: readonly Suppression[]): Page {
  const rows = all.map((one) => [String(one.id), { at: one.at }, knownBy(one), one.reason]);
  return listPage('Suppressions', ['number', 'since', 'recognised by', 'reason'], rows, {
    data: all.map(suppressionData),
    empty: 'Nobody is suppressed.',
  });
}

/** `1 email, 2 names`. */
function knownBy({ identifiers }: Suppression): string {
  return IDENTIFIER_KINDS.flatMap((kind) => {
    const n = identifiers[kind] ?? 0;
    return n === 0 ? [] : [formatCount(n, kind)];
  }).join(', ');
}

export function tellChecked(found: readonly Suppression[]): Page {
  return {
    title: 'Suppressed or not',
    parts: notes(suppressedText(found)),
    data: { suppressed: found.length > 0, suppressions: found.map(suppressionData) },
  };
}

function suppressionData({ at, id, identifiers, reason }: Suppression) {
  return { number: id, since: new Date(at).toISOString(), reason, identifiers };
}
