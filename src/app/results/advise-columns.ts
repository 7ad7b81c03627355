// Advice if most leads of a run were skipped: the columns that look like what they lack, as far as the state shows
// them; else the command that looks at the input itself.
import { NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import type { CommandNames } from '../../model/report/advice.js';
import type { Run } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import type { Store } from '../../ports/store/store.js';
import { describeLack, lackOf } from '../../run/advise.js';
import { shownColumns } from '../report/shown-columns.js';

/** The number of leads that are looked at, as while the input is read. */
const LOOKED_AT = 500;
const RUN = /^sluice run /;

/** Sentences, each with its command; none if half of the leads or fewer were skipped. */
export async function adviseOnColumns(
  store: Store,
  { run, tally }: { readonly run: Run; readonly tally: RunTally },
  { start }: CommandNames,
): Promise<string[]> {
  const { not_asked: notAsked, skipped } = tally.byStatus;
  const leads = tally.leads - notAsked;
  if (skipped * 2 <= leads) return [];
  const told = describeLack({ leads, skipped, alike: await alikeIn(store, run) });
  if (told !== '') return [`${told}.`];
  const plan = RUN.test(start) ? start.replace(RUN, 'sluice plan ') : 'sluice plan';
  return [
    `${formatNumber(skipped)} of ${formatCount(leads, 'lead')} ${leads === 1 ? 'is' : 'are'} skipped. For what the columns are taken, and which of them would help, says: ${plan}`,
  ];
}

/**
 * The columns that look like missing inputs. They are judged by the inputs that suffice for the usual platform: the
 * needs of a job's dialect are not in the state. If their names are values of a lead they are not shown.
 */
async function alikeIn(store: Store, run: Run) {
  const { ask, columns, id, mapping } = run;
  if (shownColumns(columns) !== columns) return [];
  const answers = await store.answers(id, { after: 0, limit: LOOKED_AT });
  const records = answers
    .filter(({ status }) => status !== 'not_asked')
    .map(({ cells, file: source, line }) => ({ source, line, cells }));
  const firstValues = { records, ...DOMAIN_RULES };
  const terms = { ask, ...DOMAIN_RULES, requirements: NEUTRAL_DIALECT.requires };
  return lackOf({ columns, mapping, firstValues }, terms).alike;
}
