// Tells how a run goes, or went: for `sluice status`, the end of a run, its page and its report. What is not known to who
// asks is left out.
import { firstNames, type Tone, toneOfStatus, wordsOf } from '../html/parts.js';
import { listAsks } from '../model/ask.js';
import type { AskCost } from '../model/report/run-figures.js';
import { describeSize } from '../model/report/state-size.js';
import { changedTexts, keyLines, writtenTables } from '../model/report/written-tables.js';
import { isForUser, isOpen, type ShownState } from '../model/run.js';
import {
  askedLeads,
  describeLeadless,
  forgottenLeads,
  hiddenLeads,
  leadsIn,
  type RunTally,
  sentLeads,
  tellDoubtful,
  unansweredLeads,
} from '../model/tally.js';
import { formatCount, formatNumber, formatShare } from '../model/text/count.js';
import { formatDuration } from '../model/text/format-time.js';
import type { Fact, Page, Part, Section } from './page.js';
import {
  byAskOf,
  type Known,
  runData,
  spanOf,
  stateOf,
  type ToldRun,
  workedMs,
} from './run-data.js';
import { factsOf, foundIn, IN_PART, section, valueName } from './shared.js';
import { balanceFact, budgetFact, costSection, creditsFact, eachFacts } from './tell-cost.js';
import { qualitySection } from './tell-quality.js';
import { describeWorker, marksOf, OUTCOMES } from './tell-runs.js';
import { reasonParts, troubleSection } from './tell-trouble.js';

export function tellRun(told: ToldRun): Page {
  const { file = null, report, run, seen, tally } = told;
  const state = told.state ?? stateOf(told);
  const known = { ...told, state };
  const ended = report && {
    from: run.startedAt,
    to: run.endedAt ?? run.left?.at ?? report.endedAt,
  };
  const took = ended === undefined ? '' : ` in ${formatDuration(workedMs(run, ended))}`;
  const isGoing = isOpen(state) || isForUser(state);
  const job = { to: 'job', job: run.job, text: file ?? run.job } as const;
  const parts: Part[] = [
    {
      kind: 'heading',
      text: [`Run ${run.id} of `, job],
      about: `${formatCount(tally.leads, 'lead')}${took}`,
      mark: marksOf(state, isGoing ? (seen?.pausedAt ?? null) : null),
    },
    { kind: 'facts', shape: 'flow', facts: headFacts(known) },
    outcomeSection(known),
    ...costSection(known),
    ...qualitySection(known),
    ...(known.charts?.timeSection(known) ?? []),
    ...troubleSection(known),
  ];
  return { title: `Run ${run.id} of ${file ?? run.job}`, parts, data: runData(told) };
}

function headFacts(told: Known): Fact[] {
  const { file = null, report, run, seen } = told;
  const worker = seen?.worker ?? null;
  const { changes = null, exported = null, reportFile = null } = report ?? {};
  const { further = {}, out } = run.output;
  const changed = exported?.changed ?? [];
  const others = changed.filter(({ change }) => change !== 'excel');
  const byExcel = changed.filter(({ change }) => change === 'excel');
  const keeps = `as a workbook: sluice export ${run.id} --out all.xlsx`;
  const written =
    exported === null
      ? [out, ...Object.values(further)].map((one) =>
          report === undefined ? one : `${one} (not written: nothing new is known)`,
        )
      : writtenTables(exported).map((one) => `${one.out} (${formatCount(one.rows, 'row')})`);
  const since = worker && [describeWorker(worker), ', since ', { at: worker.since }];
  return [
    { name: 'asked for', value: listAsks(run.ask) },
    { name: 'read from', value: firstNames(run.sources) },
    { name: 'job', value: file === null ? null : run.job },
    ...written.map((value) => ({ name: 'table', value })),
    ...keyLines(exported?.key ?? null).map((value) => ({ name: 'key', value })),
    ...changedTexts(others).map((value) => ({ name: 'changed', value })),
    ...changedTexts(byExcel, keeps).map((value) => ({ name: 'in Excel', value })),
    { name: 'report', value: reportFile },
    {
      name: 'changes',
      value:
        changes &&
        `${changes.out} (${formatCount(changes.rows, 'row')}): ${formatCount(changes.moved, 'person has', 'people have')} another company than in run ${changes.since}`,
    },
    { name: 'list', value: listOf(told) },
    { name: 'begun', value: { at: run.startedAt } },
    { name: 'ended', value: run.endedAt === null ? null : { at: run.endedAt } },
    { name: 'worked on by', value: since },
    { name: 'state size', value: seen ? describeSize(seen.stateSize) : null },
  ];
}

/** The contact list that the run fills, and its progress; null if it fills no list. */
function listOf({ report, run, seen }: Known): string | null {
  const now = report?.listed ?? null;
  if (now !== null) {
    return now.listId === null
      ? `${now.name}: not created, since no lead was chosen`
      : `${now.name} (${now.listId}): ${addedOf(now)}`;
  }
  const list = seen?.list ?? null;
  if (list === null) return null;
  switch (list.state) {
    case 'wanted':
      return `${list.name}: not created yet`;
    case 'creating':
      return `${list.name}: being created`;
    case 'created':
      return `${list.name} (${list.listId}): ${addedOf(list)}`;
    case 'uncertain':
      return `${list.name}: it may have been created, and its id is not known. Look on the platform, then "sluice lists adopt ${run.id} ID"`;
  }
}

function addedOf({ added, alreadyIn }: { readonly added: number; readonly alreadyIn: number }) {
  const before = `, ${formatCount(alreadyIn, 'was', 'were')} already in it`;
  return `${formatCount(added, 'lead')} added${alreadyIn === 0 ? '' : before}`;
}

function outcomeSection(told: Known): Section {
  const { charts, cost, run, tally } = told;
  const [tone, text] = judge(told);
  const parts: Part[] = [
    { kind: 'note', tone, text, isBig: true },
    ...(cost?.isMadeUp === true ? [{ kind: 'note', tone: 'idle', text: MADE_UP } as const] : []),
    {
      kind: 'facts',
      shape: 'figures',
      facts: [
        ...(charts === undefined ? [] : foundFacts(told)),
        creditsFact(told),
        budgetFact(told),
        ...(charts === undefined ? [] : eachFacts(told)),
        timeFact(told),
        ...balanceFact(told),
      ],
    },
    ...outcomeBars(told),
    ...(charts?.answersOverTime(told) ?? []),
  ];
  const { leads, reasons } = tally.inPart;
  if (leads > 0) {
    parts.push({
      kind: 'bars',
      title: `${IN_PART[0]?.toUpperCase()}${IN_PART.slice(1)}`,
      about: formatCount(leads, 'lead'),
      of: tally.leads,
      bars: reasons.map(({ leads: count, reason }) => ({
        name: reason,
        count,
        text: { to: 'leads', run: run.id, reason, text: formatNumber(count) },
        tone: 'idle',
      })),
    });
  }
  parts.push(...reasonParts(told, 'as it is'));
  return section('outcome', 'Did it work?', parts);
}

/** What the sentence and the bars say, in large numbers. */
function foundFacts({ tally }: Known): Fact[] {
  const { found, not_found: missed } = tally.byStatus;
  const answered = found + missed;
  const of = askedLeads(tally);
  const rate = answered === 0 ? null : formatShare(found, answered);
  return factsOf(
    ['found', found, `of ${formatCount(of, 'lead')}`],
    ['hit rate', rate, `of ${formatNumber(answered)} answered`],
  );
}

const MADE_UP = 'This run asks the sandbox: its answers are made up, and so are its credits.';

function timeFact(told: Known): Fact {
  const { run, state, time } = told;
  const { idleMs = 0 } = run;
  const forecastMs = time?.forecastMs ?? null;
  const about = [
    forecastMs === null || forecastMs === 0
      ? ''
      : `${formatDuration(forecastMs)} at least at the rate limit`,
    idleMs >= 1_000
      ? `${formatDuration(idleMs)} in which no process worked on it are not counted`
      : '',
  ];
  return {
    name: isOpen(state) || isForUser(state) ? 'time so far' : 'time',
    value: time === undefined ? null : formatDuration(workedMs(run, spanOf({ ...told, time }))),
    about: about.filter(Boolean).join('; '),
  };
}

function outcomeBars({ report, run, tally }: Known): Part[] {
  if (tally.leads === 0 && tally.rejects === 0) return [];
  const { askedAgain, byStatus, leads, rejects } = tally;
  const asked = askedLeads(tally);
  const where = report?.exported?.rejects ?? null;
  const notes = [
    ...Object.entries(askedAgain).map(
      ([state, again]) =>
        `${formatCount(again, 'lead shows', 'leads show')} an older answer, or a known part; asked again: ${wordsOf(state)}.`,
    ),
    rejects > 0 &&
      `${formatCount(rejects, 'line')} could not be read as ${rejects === 1 ? 'it is' : 'they are'}${where === null ? '' : `: ${where}`}.`,
  ];
  return [
    {
      kind: 'bars',
      title: 'Leads by outcome',
      of: leads,
      bars: OUTCOMES.filter((status) => byStatus[status] > 0).map((outcome) => ({
        name: wordsOf(outcome),
        count: byStatus[outcome],
        text: { to: 'leads', run: run.id, outcome, text: formatNumber(byStatus[outcome]) },
        tone: toneOfStatus(outcome),
        about: outcome === 'not_asked' ? '' : formatShare(byStatus[outcome], asked),
      })),
      notes: notes.filter((note) => note !== false),
    },
  ];
}

/** Whether it worked, in a sentence. */
function judge(known: Known): readonly [Tone, string] {
  const { run, seen, state, tally } = known;
  const found = foundOf(run.ask, tally, byAskOf(known) ?? []);
  const lacking = unansweredLeads(tally) - forgottenLeads(tally);
  const hidden = hiddenLeads(tally);
  const leadless = describeLeadless(tally, run.sources);
  const waiting = waitingOf(tally);
  if (state === 'finished') {
    if (tally.leads === 0) return ['warn', 'The input had no lead that could be read.'];
    if (leadless !== undefined) return ['warn', `${found}. In the input ${leadless}.`];
    const doubtful = tellDoubtful(tally);
    const isWell = lacking === 0 && doubtful === null;
    const without = `${formatCount(lacking, 'lead')} ended without a reliable answer`;
    const not = `${formatCount(hidden, 'lead is', 'leads are')} not shown, since the person is suppressed or was forgotten`;
    return [
      isWell ? 'good' : lacking > 0 && lacking * 10 >= askedLeads(tally) ? 'bad' : 'warn',
      [
        found,
        isWell && 'Every lead is answered for',
        lacking > 0 && without,
        doubtful,
        hidden > 0 && not,
      ]
        .filter(Boolean)
        .map((one) => `${one}.`)
        .join(' '),
    ];
  }
  if (state === 'reading') {
    return [
      'wait',
      `The input is being read: ${formatCount(tally.leads, 'lead')} so far, ${waiting}.`,
    ];
  }
  if (state === 'cancelled') {
    return ['warn', 'The run was cancelled. What it paid for serves the next run.'];
  }
  if (state === 'replaced') {
    return [
      'warn',
      'The job or its input changed before the run ended. What it paid for serves the next run.',
    ];
  }
  if (isOpen(state) && (seen?.pausedAt ?? null) !== null) {
    return ['warn', `${GOING.paused}: ${waiting}.`];
  }
  return [isOpen(state) ? 'wait' : 'warn', `${GOING[state]}: ${waiting}.`];
}

const GOING: Readonly<
  Record<Exclude<ShownState, 'cancelled' | 'finished' | 'reading' | 'replaced'>, string>
> = {
  working: 'The run goes on',
  queued: 'The run waits for a worker',
  parked: 'The run waits for a worker',
  stopped_at_budget: 'The run stopped at its budget',
  stopped_at_cap: 'The run stopped at a cap',
  stopped_at_hit_rate: 'The run stopped, since the platform found too little',
  paused: 'The run waits, since its job is paused',
  stopped: 'The run was told to stop',
  stopped_by_error: 'An error stopped the run',
  cut_off: 'The run was cut off, and no process works on it',
  reopened: 'The run was opened again, and waits to be started',
};

/** `265 of 300 found`; of several asks also which: `(e-mail 230, profile 251)`, or `(e-mail or profile)`. */
function foundOf(ask: readonly string[], tally: RunTally, byAsk: readonly AskCost[]): string {
  const isAll = askedLeads(tally) === tally.leads;
  const found = isAll ? `${foundIn(tally)} found` : `Found: ${foundIn(tally)}`;
  if (ask.length < 2) return found;
  const each = byAsk.map((one) => `${valueName(one.ask)} ${formatNumber(one.found)}`);
  return `${found} (${each.length > 0 ? each.join(', ') : ask.map(valueName).join(' or ')})`;
}

/** The words for sent leads, which wait for an answer, and for those that are not sent yet. */
function waitingOf(tally: RunTally): string {
  const [sent, queued] = [sentLeads(tally), leadsIn(tally, 'queued')];
  const waits = `${formatCount(sent, 'lead waits', 'leads wait')} for an answer`;
  const toSend = queued === 1 ? 'is still to send' : 'are still to send';
  if (queued === 0) return waits;
  if (sent === 0) return `${formatCount(queued, 'lead')} ${toSend}`;
  return `${waits}, and ${formatNumber(queued)} ${toSend}`;
}
