// The actions on a run: to end it for good, to write its tables again (a download is no action: it changes nothing), and to
// open its failed, late and missed leads again. The uncertain ones, which may be paid for twice, are for the command line
// alone.

import { statedInJobs } from '../../app/files/stated-files.js';
import { exportRun } from '../../app/results/export-run.js';
import { cancelRun } from '../../app/run/end/note-left.js';
import { retryRun } from '../../app/state/change-run.js';
import { timesCredits } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { tellCancelled } from '../../model/report/open-charges.js';
import { isOpen, type Run } from '../../model/run.js';
import { type RunTally, retriableLeads } from '../../model/tally.js';
import { formatCount } from '../../model/text/count.js';
import { printable } from '../../model/text/printable.js';
import { type Action, called, runIn } from '../action.js';
import { isStartable } from '../jobs/own-jobs.js';
import { PATHS, pathTo, runPath } from '../paths.js';

export const cancelAction: Action = {
  path: PATHS.cancel,
  ask: async (context, params) => {
    const { id, job, state } = await runIn(context, params);
    const tally = await context.store.tally(id);
    const canBe = isOpen(state);
    const name = called(context, job);
    return {
      title: `Cancel run ${id} of ${name}?`,
      sentences: canBe
        ? [
            tellCancelled(tally),
            `This cannot be undone: the next start of ${name} begins a new run.`,
          ]
        : [`Run ${id} is ${state}: there is nothing to cancel.`],
      cost: 'nothing. What is paid for already is not given back by the platform.',
      button: canBe ? `Cancel run ${id}` : null,
      isDangerous: canBe,
      back: runPath(id),
    };
  },
  perform: async (context, params) => {
    const run = await runIn(context, params);
    const tally = await cancelRun(context.store, run, context.clock.now());
    return {
      title: `Run ${run.id} of ${called(context, run.job)} is cancelled`,
      sentences: [tellCancelled(tally)],
      links: [{ path: runPath(run.id), text: `Run ${run.id}` }],
    };
  },
};

export const exportAction: Action = {
  path: PATHS.export,
  ask: async (context, params) => {
    const { id, job, output } = await runIn(context, params);
    const files = [output.out, ...Object.values(output.further ?? {})].filter((out) => out !== '-');
    return {
      title: `Write the tables of run ${id} of ${called(context, job)} again?`,
      sentences:
        files.length === 0
          ? ['The table of this run went to standard output. Download it instead.']
          : [
              `With what is known now: ${files.map(printable).join(', ')}.`,
              'A file that Sluice did not write is not replaced.',
            ],
      cost: 'nothing.',
      button: files.length === 0 ? null : 'Write them',
      back: runPath(id),
    };
  },
  perform: async (context, params) => {
    const run = await runIn(context, params);
    const { id } = run;
    const stated = await statedInJobs(run, context.environment);
    const { further, out, rows } = await exportRun(context.store, id, { stated });
    const tables = [...(out === null ? [] : [{ out, rows }]), ...Object.values(further)];
    return {
      title: `The tables of run ${id} are written`,
      sentences: tables.map(
        (table) => `${printable(table.out)}: ${formatCount(table.rows, 'row')}`,
      ),
      links: [{ path: runPath(id), text: `Run ${id}` }],
    };
  },
};

const OUTCOMES = ['failed', 'timed_out', 'not_found'] as const;
const HINTS: Readonly<Record<(typeof OUTCOMES)[number], string>> = {
  failed: 'Reading their tickets again is free; those without a ticket are asked for anew.',
  timed_out: 'Their answers may still come. Reading them again is free.',
  not_found: 'Reading their answers again is free.',
};

export const retryAction: Action = {
  path: PATHS.retry,
  ask: async (context, params) => {
    const run = await runIn(context, params);
    const tally = await context.store.tally(run.id);
    const there = OUTCOMES.filter((outcome) => retriableLeads(tally, outcome) > 0);
    const { isLocked } = await context.store.jobNow(run.job);
    return {
      title: `Retry leads of run ${run.id} of ${called(context, run.job)}?`,
      sentences:
        there.length === 0
          ? [`Run ${run.id} has no leads that failed, timed out or were not found.`]
          : [
              ...(isLocked
                ? [`A process is working on ${called(context, run.job)}: wait for it to end.`]
                : []),
              'The leads are open again after this. Nothing is sent before the job is started.',
            ],
      cost: `nothing now. ${costOf(run, tally)}`,
      choices: [
        ...there.map((outcome) => ({
          name: outcome,
          label: `${outcome.replace('_', ' ')}: ${formatCount(retriableLeads(tally, outcome), 'lead')}`,
          hint: HINTS[outcome],
          isChecked: outcome !== 'not_found',
        })),
        ...(there.includes('failed')
          ? [
              {
                name: 'ask-anew',
                label: 'Ask for all failed ones anew, for the full price',
                isChecked: false,
              },
            ]
          : []),
      ],
      button: there.length === 0 || isLocked ? null : 'Open them again',
      back: runPath(run.id),
    };
  },
  perform: async (context, params, form) => {
    const { state, store } = context;
    const run = await runIn(context, params);
    const only = OUTCOMES.filter((outcome) => form.has(outcome));
    if (only.length === 0) {
      throw new SluiceError('usage', 'Nothing was chosen: say which leads to retry.');
    }
    const wish = { only, askAnew: form.has('ask-anew'), state };
    const { answered, awaiting, queued } = await retryRun(store, run.id, wish);
    const isOpen = queued + awaiting > 0;
    return {
      title: isOpen ? `Run ${run.id} is open again` : `Run ${run.id} has nothing to retry`,
      sentences: [
        ...(isOpen
          ? [
              ...(queued > 0
                ? [
                    `${formatCount(queued, 'enrichment')} to ask for, which costs ${priceOf(run, queued)}.`,
                  ]
                : []),
              ...(awaiting > 0
                ? [`${formatCount(awaiting, 'ticket')} to read, which is free.`]
                : []),
              continueWords(run),
            ]
          : ['Nothing was opened.']),
        ...(answered > 0
          ? [
              `${formatCount(answered, 'enrichment')} got an answer from a later run meanwhile: export the run to have them in its table.`,
            ]
          : []),
      ],
      links: [
        ...(isOpen && isStartable(context, run)
          ? [
              {
                path: pathTo(PATHS.start, { job: run.job }),
                text: `Start ${called(context, run.job)}`,
              },
            ]
          : []),
        { path: runPath(run.id), text: `Run ${run.id}` },
      ],
    };
  },
};

/** The words for continuing. The name of a job that `sluice enrich` made is its input. */
function continueWords({ job, sources }: Run): string {
  return sources.includes(job)
    ? 'The same "sluice enrich" command continues it.'
    : 'Start it as before; it continues.';
}

function costOf(run: Run, tally: RunTally): string {
  const failed = retriableLeads(tally, 'failed');
  if (failed === 0) return 'The next start of the job reads tickets again, which is free.';
  return `Asking for ${formatCount(failed, 'failed lead')} anew, once the job is started, costs ${priceOf(run, failed)}.`;
}

function priceOf({ arePricesAssumed, priceMax }: Run, count: number): string {
  if (count === 0) return 'nothing';
  if (priceMax === undefined) return 'credits, and it is not known how many';
  const assumed = arePricesAssumed ? ', prices assumed' : '';
  return `${formatCount(timesCredits(priceMax, count), 'credit')} at most${assumed}`;
}
