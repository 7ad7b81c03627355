// The knowledge about a person, and whether they are suppressed, for people and for scripts. It shows personal data: the user
// may read the state, and asked for it.
import type { KnownAnswer, KnownOfPerson, ShownIn } from '../../app/results/known-of-person.js';
import type { Result } from '../../model/result.js';
import { cutText } from '../../model/text/count.js';
import type { Suppression } from '../../ports/store/suppressions.js';
import { formatCount, formatTime } from './format.js';

/** `Suppressed since 2026-01-02 10:00, number 3: asked us to.` */
export function suppressedText(some: readonly Suppression[]): string {
  if (some.length === 0) return 'Not suppressed.';
  return some
    .map(({ at, id, reason }) => {
      const why = reason === '' ? '' : `: ${reason}`;
      return `Suppressed since ${formatTime(at)} (UTC), number ${id}${why}.`;
    })
    .join(' ');
}

export function suppressionJson({ at, id, identifiers, reason }: Suppression): object {
  return { number: id, since: new Date(at).toISOString(), reason, identifiers };
}

/** As an object with constant keys. */
export function knownJson({ answers, isCut, suppressions }: KnownOfPerson): object {
  return {
    suppressed: suppressions.length > 0,
    suppressions: suppressions.map(suppressionJson),
    more: isCut,
    known: answers.map((one) => ({
      enrichment: one.id,
      status: one.state,
      reason: one.reason,
      ask: one.request.ask,
      inputs: one.request.inputs,
      account: one.account,
      run: one.runId,
      job: one.job,
      asked_at: isoTime(one.submittedAt),
      answered_at: isoTime(one.settledAt),
      credits: one.credits,
      result: one.result,
      shown_in: one.shownIn.map(({ list, ...shown }) => ({
        ...shown,
        list: list === null ? null : { name: list.name, id: list.listId },
      })),
      shown_count: one.leadCount,
    })),
  };
}

/** The same as lines of text. */
export function knownLines({ answers, isCut, suppressions }: KnownOfPerson): string[] {
  const more = isCut ? ', and more' : '';
  return [
    answers.length === 0
      ? 'Nothing is known of them.'
      : `${formatCount(answers.length, 'enrichment')} of theirs${more}:`,
    ...answers.flatMap(answerLines),
    suppressedText(suppressions),
  ];
}

function answerLines(one: KnownAnswer): string[] {
  const { account, job, leadCount, reason, request, result, settledAt, shownIn, state } = one;
  const at = settledAt === null ? '' : `, at ${formatTime(settledAt)} (UTC)`;
  const why = reason === null ? '' : `: ${reason}`;
  const rows: (readonly [string, string])[] = [
    ['asked', `${request.ask.join(', ')}, by run ${one.runId}${job === null ? '' : ` of ${job}`}`],
    ...(account === null ? [] : [['account', `id-${account}`] as const]),
    ['outcome', `${state}${why}${at}; ${formatCount(one.credits, 'credit')}`],
    ...(result === null ? [] : tellResult(result)),
    ...shownIn.flatMap(shownLines),
  ];
  const left = leadCount - shownIn.length;
  if (left > 0) rows.push(['shown in', formatCount(left, 'more line')]);
  return rows.map(([name, text], i) => `${i === 0 ? '- ' : '  '}${name.padEnd(12)} ${text}`);
}

function shownLines({
  file,
  job,
  line,
  list,
  run,
  tables,
}: ShownIn): (readonly [string, string])[] {
  const place = `line ${line}${file === null ? '' : ` of ${file}`}, run ${run}${job === null ? '' : ` of ${job}`}`;
  const id = list?.listId ?? null;
  return [
    ['shown in', place],
    ...tables.map((table) => ['table', table] as const),
    ...(list === null
      ? []
      : [['list', `"${list.name}"${id === null ? '' : ` (${id})`}, if chosen for it`] as const]),
  ];
}

function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

/** A profile by its address alone. */
function tellResult({ custom = {}, find_email, find_phone, social_enrichment }: Result) {
  const email = [find_email?.email, find_email?.status].filter((one) => one !== undefined);
  const profile = social_enrichment && (social_enrichment.socialUrl ?? 'without an address');
  const told: (readonly [string, string | undefined])[] = [
    ['e-mail', email.length === 0 ? undefined : email.join(', ')],
    ['phone', find_phone?.phone],
    ['profile', profile],
    ...Object.entries(custom).map(
      ([ask, values]) => [ask, Object.values(values).join(', ')] as const,
    ),
  ];
  return told.flatMap(([name, text]) =>
    text === undefined ? [] : [[name, cutText(text, 200)] as const],
  );
}
