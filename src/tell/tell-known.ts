// Tells what is known of a person, and whether they are suppressed. It shows personal data: the user may read the state,
// and asked for it.
import type { KnownAnswer, KnownOfPerson, ShownIn } from '../app/results/known-of-person.js';
import type { Result } from '../model/result.js';
import { IDENTIFIER_KINDS } from '../model/suppression.js';
import { cutText, formatCount, formatNumber } from '../model/text/count.js';
import type { Suppression } from '../ports/store/suppressions.js';
import type { Fact, Page, Part, Value } from './page.js';

export function tellKnown({ answers, isCut, suppressions }: KnownOfPerson): Page {
  const more = isCut ? ', and more' : '';
  return {
    title: 'What is known of a person',
    parts: [
      {
        kind: 'note',
        text:
          answers.length === 0
            ? 'Nothing is known of them.'
            : `${formatCount(answers.length, 'enrichment')} of theirs${more}:`,
      },
      ...answers.map(
        (one): Part => ({
          kind: 'facts',
          title: `Enrichment ${one.id}`,
          facts: answerFacts(one),
        }),
      ),
      { kind: 'note', text: suppressedText(suppressions) },
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
        shownIn: one.shownIn.map(({ list, ...shown }) => ({
          ...shown,
          list: list && { name: list.name, id: list.listId },
        })),
        shownCount: one.leadCount,
      })),
    },
  };
}

function answerFacts(one: KnownAnswer): Fact[] {
  const {
    account,
    isImported,
    job,
    leadCount,
    reason,
    request,
    result,
    settledAt,
    shownIn,
    state,
  } = one;
  const at: Value = settledAt === null ? null : [', at ', { at: settledAt }];
  const left = leadCount - shownIn.length;
  return [
    {
      name: 'asked',
      value: `${request.ask.join(', ')}, ${isImported ? 'imported ' : ''}by run ${one.runId}${job === null ? '' : ` of ${job}`}`,
    },
    { name: 'account', value: account && `id-${account}` },
    {
      name: 'outcome',
      value: [
        `${state}${reason === null ? '' : `: ${reason}`}`,
        at,
        `; ${formatCount(one.credits, 'credit')}`,
      ],
    },
    ...(result === null ? [] : resultFacts(result)),
    ...shownIn.flatMap(shownFacts),
    { name: 'shown in', value: left > 0 ? formatCount(left, 'more line') : null },
  ];
}

function shownFacts({ file, job, line, list, run, tables }: ShownIn): Fact[] {
  const place = `line ${line}${file === null ? '' : ` of ${file}`}, run ${run}${job === null ? '' : ` of ${job}`}`;
  const id = list?.listId ?? null;
  return [
    { name: 'shown in', value: place },
    ...tables.map((table) => ({ name: 'table', value: table })),
    {
      name: 'list',
      value: list && `"${list.name}"${id === null ? '' : ` (${id})`}, if chosen for it`,
    },
  ];
}

/** A profile by its address alone. */
function resultFacts({ custom = {}, find_email, find_phone, social_enrichment }: Result): Fact[] {
  const email = [find_email?.email, find_email?.status].filter((one) => one !== undefined);
  const told: (readonly [string, string | undefined])[] = [
    ['e-mail', email.length === 0 ? undefined : email.join(', ')],
    ['phone', find_phone?.phone],
    ['profile', social_enrichment && (social_enrichment.socialUrl ?? 'without an address')],
    ...Object.entries(custom).map(
      ([ask, values]) => [ask, Object.values(values).join(', ')] as const,
    ),
  ];
  return told.map(([name, text]) => ({
    name,
    value: text === undefined ? null : cutText(text, 200),
  }));
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
  const columns = [{ name: 'number' }, { name: 'since' }, { name: 'known by' }, { name: 'reason' }];
  const rows = all.map((one) => [String(one.id), { at: one.at }, knownBy(one), one.reason]);
  const empty = 'Nobody is suppressed.';
  return {
    title: 'Suppressions',
    parts: [{ kind: 'table', title: 'Suppressions', isAlone: true, columns, rows, empty }],
    data: all.map(suppressionData),
  };
}

/** `1 email, 2 name`. */
function knownBy({ identifiers }: Suppression): string {
  return IDENTIFIER_KINDS.flatMap((kind) => {
    const n = identifiers[kind] ?? 0;
    return n === 0 ? [] : [`${formatNumber(n)} ${kind}`];
  }).join(', ');
}

/** Whether each of several people is suppressed. */
export function tellChecked(found: readonly (readonly Suppression[])[]): Page {
  return {
    title: 'Suppressed or not',
    parts: found.map((some, n) => ({
      kind: 'note',
      text: [found.length === 1 ? '' : `${n + 1}: `, suppressedText(some)],
    })),
    data: found.map((some) => ({
      suppressed: some.length > 0,
      suppressions: some.map(suppressionData),
    })),
  };
}

function suppressionData({ at, id, identifiers, reason }: Suppression) {
  return { number: id, since: new Date(at).toISOString(), reason, identifiers };
}
