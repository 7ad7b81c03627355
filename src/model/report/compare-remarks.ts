// Remarks about a comparison, in sentences: for the page, and for a terminal.
import { isOpen } from '../run.js';
import { cutText, formatCount, formatNumber } from '../text/count.js';
import type { ComparedRun, CompareFigures } from './compare-figures.js';

const NAME_MAX = 120;

/** The place at which a user names a key: in flags, or in the form of a page. */
export type KeyPlace = 'flags' | 'form';

const KEY_WORDS = {
  flags: {
    choose: 'name a column with --key',
    look: 'look whether --key names the right column',
    key: '--key joins by a column of your own that stays',
  },
  form: {
    choose: 'choose a column that names a lead in both',
    look: 'look whether it is the right column',
    key: 'a column of your own that stays tells who it is',
  },
} as const;

/** The remarks, the weightiest first; none if there is nothing to say. */
export function compareRemarks(figures: CompareFigures, place: KeyPlace = 'flags'): string[] {
  const { after, before, leads, shared } = figures;
  const key = figures.key === null ? null : cutText(figures.key.join(' or no '), NAME_MAX);
  const runs = [before, after];
  const words = KEY_WORDS[place];
  const remarks: (string | false)[] = [
    after.startedAt < before.startedAt &&
      `Run ${before.id} began after run ${after.id}: what is shown as new is what was lost. Name the earlier run first.`,
    before.job !== after.job &&
      `They are runs of two jobs, ${cutText(before.job, NAME_MAX)} and ${cutText(after.job, NAME_MAX)}.`,
    ...runs.map(
      ({ id, state }) =>
        isOpen(state) && `Run ${id} has not ended: leads that wait for an answer are not known.`,
    ),
    leads.both === 0 &&
      before.leads > 0 &&
      after.leads > 0 &&
      (key === null
        ? `No lead of one run was asked about with the inputs of a lead of the other: ${words.choose}.`
        : `No key of one run is in the other: ${words.look}.`),
    key === null &&
      leads.onlyBefore > 0 &&
      leads.onlyAfter > 0 &&
      leads.both > 0 &&
      `A lead whose inputs changed in between is in one run only: ${words.key}.`,
    shared > 0 &&
      `${formatCount(shared, 'lead shows', 'leads show')} one answer in both runs, which was asked for once (fresh-for): nothing about them can differ.`,
    ...runs.map(
      ({ id, late }) =>
        late > 0 &&
        `${formatCount(late, 'lead of run', 'leads of run')} ${id} ${late === 1 ? 'shows' : 'show'} an answer that came after the run had ended: what was shown before is not kept.`,
    ),
    ...runs.map((run) => withoutKey(run, key)),
    ...runs.map(removed),
    ...runs.map(
      ({ id, repeated }) =>
        repeated > 0 &&
        `${formatCount(repeated, 'lead of run', 'leads of run')} ${id} ${repeated === 1 ? 'has' : 'have'} ${key === null ? 'the inputs' : 'the key'} of an earlier lead: the first one is compared.`,
    ),
  ];
  return remarks.filter((remark) => remark !== false);
}

/** `9 suppressed and 1 forgotten leads of run 2 are not compared.` */
function removed({ forgotten, id, suppressed }: ComparedRun): string | false {
  const count = suppressed + forgotten;
  const kinds = [
    suppressed > 0 && `${formatNumber(suppressed)} suppressed`,
    forgotten > 0 && `${formatNumber(forgotten)} forgotten`,
  ].filter(Boolean);
  const [leads, are] = count === 1 ? ['lead', 'is'] : ['leads', 'are'];
  return count > 0 && `${kinds.join(' and ')} ${leads} of run ${id} ${are} not compared.`;
}

function withoutKey({ id, withoutKey: count }: ComparedRun, key: string | null): string | false {
  if (count === 0) return false;
  const [one, several] =
    key === null
      ? ['was not asked about', 'were not asked about']
      : [`has no ${key}`, `have no ${key}`];
  return `${formatCount(count, `lead of run ${id} ${one}`, `leads of run ${id} ${several}`)}, and ${count === 1 ? 'is' : 'are'} not compared.`;
}
