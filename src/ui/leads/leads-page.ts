// The leads of a run, a page at a time.
import { runOf } from '../../app/results/run-of.js';
import { html } from '../../html/markup.js';
import { STATES } from '../../model/enrichment/arrows.js';
import { isOpen } from '../../model/run.js';
import { leadsIn, type RunTally } from '../../model/tally.js';
import { liveSection } from '../layout.js';
import { memoryOf } from '../memory.js';
import type { UiPage } from '../page.js';
import { PATHS } from '../paths.js';
import { numberAt, numberIn, textIn, wordIn } from '../read-query.js';
import { droppedName } from '../try/uploads.js';
import { chooseLeads } from './choose-leads.js';
import { layOutLeads, layOutLeadsHead, leadsTitle } from './leads-view.js';

const SHOWN = 50;
const OUTCOMES = [...STATES, 'skipped', 'not_asked'] as const;

export const leadsPage: UiPage = {
  path: PATHS.leads,
  load: async (context, visit) => {
    const { clock, store } = context;
    const run = await runOf(store, numberAt(visit, 'run'));
    const query = {
      outcome: wordIn(visit, 'outcome', OUTCOMES),
      reason: textIn(visit, 'reason'),
      text: textIn(visit, 'text'),
      before: numberIn(visit, 'before'),
      after: numberIn(visit, 'after'),
    };
    const tally = await memoryOf(context).tallyOf(run);
    const source = { store, run, now: () => clock.now() };
    const { after, before } = query;
    const cursor =
      before === undefined
        ? ({ direction: 'after', position: after ?? 0 } as const)
        : ({ direction: 'before', position: before } as const);
    const page = await chooseLeads(source, query, cursor, SHOWN);
    const { inPart, reasons } = tally;
    const outcomes = OUTCOMES.map((outcome) => [outcome, countOf(tally, outcome)] as const);
    const file = droppedName(context.state, run.job);
    const view = { run, file, query, outcomes, reasons, inPart: inPart.reasons, ...page };
    const list = liveSection('leads', layOutLeads(view));
    // The text is searched for only once, because that reads many leads.
    const isLive = isOpen(run.state) && query.text === undefined;
    return {
      title: leadsTitle(view),
      body: html`${layOutLeadsHead(view)}${list.markup}`,
      live: [list],
      isFinal: !isLive,
    };
  },
};

function countOf(tally: RunTally, outcome: (typeof OUTCOMES)[number]): number {
  if (outcome === 'skipped' || outcome === 'not_asked') return tally.byStatus[outcome];
  return leadsIn(tally, outcome);
}
