// Opening a run's failed, late and missed leads again. The uncertain ones, which may be paid for twice, are for the
// command line alone.
import { retryRun } from '../../app/state/change-run.js';
import { timesCredits } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import { type RunTally, retriableLeads } from '../../model/tally.js';
import { formatCount } from '../../model/text/count.js';
import { type Action, called, runIn } from '../action.js';
import { isStartable } from '../jobs/own-jobs.js';
import { PATHS, pathTo, runPath } from '../paths.js';

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
          kind: 'check' as const,
          name: outcome,
          label: `${outcome.replace('_', ' ')}: ${formatCount(retriableLeads(tally, outcome), 'lead')}`,
          hint: HINTS[outcome],
          isChecked: outcome !== 'not_found',
        })),
        ...(there.includes('failed')
          ? [
              {
                kind: 'check' as const,
                name: 'ask-anew',
                label: 'Ask for all failed ones anew, for the full price',
                isChecked: false,
              },
            ]
          : []),
      ],
      button: there.length === 0 || isLocked ? null : 'Open them again',
      isDangerous: false,
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
