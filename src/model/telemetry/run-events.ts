// The events in a run: of the run, its leads and its enrichments. They hold numbers, ids and durations, never persons.
import type { Detection } from '../../ports/lead-reader.js';
import type { IngestCount } from '../../ports/store/enrichments.js';
import type { Outcome } from '../enrichment/arrows.js';
import type { ErrorCode } from '../errors.js';
import type { MappedInput } from '../mapping/mapping.js';
import type { Run } from '../run.js';
import type { RunTally } from '../tally.js';
import { DURATION, event, fact, type LogField, members, partly, unlogged } from './fact.js';

/**
 * The end of the work on a run; `stopped` by a signal, an error code by an error, `bug` by an error that Sluice does
 * not know.
 */
export type RunResult = 'ok' | 'unanswered' | 'stopped' | 'bug' | ErrorCode;

/** Trouble that a person should look at, though the run continues. */
export const WARNINGS = [
  'no_deliveries',
  'unread_answers',
  'unread_fields',
  'empty_answers',
  'deliveries_not_kept',
  'deliveries_refused',
  'metrics_not_written',
  'report_not_written',
  'file_left_out',
  'notice_not_sent',
  'platform_silent',
  'sending_ended',
  'step_unavailable',
  'no_bulk_call',
  'columns_unused',
  'old_runs_not_removed',
  'database_gone',
  'database_slow',
  'far_reset',
  'worker_trouble',
] as const;
export type Warning = (typeof WARNINGS)[number];

const QUEUED = fact<number>('to be sent');
const AWAITING = fact<number>('sent, the answer not here yet');
/** The fates of leads; `notAsked` says why some are not asked for. */
const fates = (notAsked: string) =>
  partly<IngestCount>(
    members<IngestCount>({
      queued: 'enrichments that are to be sent because of it',
      awaiting: 'enrichments that are awaited because of it, at no cost',
      cached: 'leads answered already',
      shared: 'leads that share an open enrichment',
      skipped: 'leads that cannot be asked for',
      notAsked,
    }),
  );

/** The ids of enrichments to which the same happened in one step. */
const ENRICHMENTS = partly<readonly number[]>({
  count: { about: 'how many', of: (ids) => ids.length },
  enrichments: { about: 'their ids in the state', of: (ids) => ids },
});

export const RUN_EVENTS = {
  'run.started': event('info', 'A run begins, or is continued.', {
    isContinued: fact<boolean>('whether an earlier process began it'),
    run: partly<Run>({
      leads: { about: 'those in the state already', of: ({ leadCount }) => leadCount },
    }),
  }),
  'run.recovered': event(
    'warn',
    'An earlier process died between sending and saving: these enrichments are uncertain.',
    { uncertain: fact<number>('how many') },
  ),
  'run.resumed': event('info', 'Work that an earlier process left.', {
    queued: QUEUED,
    awaiting: AWAITING,
  }),
  'run.mapped': event('info', 'It is known which columns feed which inputs.', {
    // The names of the columns are left out: if the header is missing, they are the values of a lead.
    mapping: partly<readonly MappedInput[]>({
      inputs: {
        about: 'the inputs that have a column, without its name',
        of: (mapping) => mapping.map(({ input }) => input).join(','),
      },
      guessed: {
        about: 'how many of them were guessed',
        of: (mapping) => mapping.filter(({ isGuessed }) => isGuessed).length,
      },
    }),
  }),
  'run.detected': event(
    'info',
    'The encoding or the delimiter of the input was guessed, and is not UTF-8 or a comma; one of several sheets is read; or the header is not the first row.',
    {
      detection: partly<Detection>(
        members<Detection>({
          what: '`encoding`, `delimiter`, `sheet` or `header`',
          value: 'which',
        }),
      ),
    },
  ),
  'run.resending': event('warn', '`--resend-uncertain`: these may be paid for twice.', {
    count: fact<number>('how many'),
  }),
  'run.adopted': event('info', 'Work that another run had taken over and not ended comes back.', {
    queued: QUEUED,
    awaiting: AWAITING,
    uncertain: fact<number>('given up, since no process can be sending them any more'),
  }),
  'run.draining': event(
    'info',
    'The run is to end: nothing new is sent, what is under way is saved.',
    { by: fact<'signal' | 'cancel'>('`signal` or `cancel`') },
  ),
  'run.warned': event('warn', 'A person should look at something; the run goes on.', {
    warning: fact<Warning>(WARNINGS.map((warning) => `\`${warning}\``).join(', ')),
    message: fact<string>('the sentence that a terminal shows'),
  }),
  'run.ended': event(
    'info',
    'The work on a run is over, finished or not; told at `warn` unless the result is `ok` or `stopped`.',
    {
      run: unlogged<Run>(),
      result: fact<RunResult>('`ok`, `unanswered`, `stopped` (by a signal), or an error code'),
      tally: partly<RunTally>({
        ...members<RunTally>({
          leads: 'how many leads it has',
          rejects: 'lines that became no lead',
        }),
        found: leadsThatAre('found'),
        not_found: leadsThatAre('not_found'),
        failed: leadsThatAre('failed'),
        timed_out: leadsThatAre('timed_out'),
        uncertain: leadsThatAre('uncertain'),
        skipped: leadsThatAre('skipped'),
        not_asked: leadsThatAre('not_asked'),
        ...members<RunTally>({
          fromCache: 'leads that share a payment',
          credits: 'what the run paid',
        }),
      }),
      durationMs: DURATION,
      advice: fact<string>('what to do next, where the result is `unanswered`; else empty'),
    },
    ({ result }) => result !== 'ok' && result !== 'stopped',
  ),
  'run.reopened': event('info', '`sluice retry` put failures back to work.', {
    run: unlogged<Run>(),
    queued: QUEUED,
    awaiting: AWAITING,
    answered: fact<number>('answered by a later run meanwhile'),
  }),
  'state.new': event(
    'info',
    'Nothing has run with this state yet: nothing that was paid for is known to it.',
    {
      path: fact<string>('where it is'),
      beside: partly<string | null>({
        beside: {
          about: 'another one in its folder, which may have been meant',
          of: (path) => path ?? '',
        },
      }),
    },
  ),
  'state.back': event('info', 'The database answers again, after it was gone.', {
    durationMs: DURATION,
  }),
  'job.locked': event('debug', 'This process has the job to itself.', { job: unlogged<string>() }),
  'job.released': event('debug', 'Others may work on the job again.', { job: unlogged<string>() }),
  'folder.unchanged': event(
    'info',
    'Every file of a drop folder is done: there was nothing to run.',
    {
      files: fact<number>('how many there are'),
      hashed: fact<number>('how many were read to know that; the others look unchanged'),
    },
  ),
  'leads.passed': event('debug', 'Leads have reached a step of a waterfall.', {
    leads: fact<number>('in this batch'),
    count: fates('leads for which the step has nothing to ask'),
  }),
  'leads.read': event('debug', 'A batch of leads is in the state.', {
    position: fact<number>('leads read so far'),
    leads: fact<number>('in this batch'),
    count: fates('leads that are not chosen'),
    rejects: fact<number>('lines that became no lead'),
  }),
  'leads.complete': event('info', 'The whole input is read.', {
    leads: fact<number>('how many leads it has'),
  }),
  'enrichments.claimed': event('debug', 'It is on the disk that these are about to be sent.', {
    enrichments: ENRICHMENTS,
  }),
  'enrichments.submitted': event(
    'debug',
    'The platform accepted these, and their tickets are saved.',
    { enrichments: ENRICHMENTS, pollAt: unlogged<number>() },
  ),
  'enrichments.requeued': event('debug', 'Certainly not accepted: these will be sent again.', {
    enrichments: ENRICHMENTS,
  }),
  'enrichments.postponed': event(
    'debug',
    'Asked for, and not answered yet: these will be asked for again.',
    { enrichments: ENRICHMENTS },
  ),
  'enrichments.settled': event('debug', 'These ended.', {
    outcome: fact<Outcome>('`found`, `not_found`, `failed`, `timed_out` or `uncertain`'),
    by: fact<'submit' | 'poll' | 'webhook'>('`submit`, `poll` or `webhook`'),
    credits: fact<number>('what they cost together'),
    enrichments: ENRICHMENTS,
  }),
  'cap.looked': event('debug', 'Before a send: the room that is left in the tightest cap.', {
    credits: fact<number>('the cap'),
    period: fact<'day' | 'month'>('`day` or `month`'),
    spent: fact<number>('by all runs in this period'),
    held: fact<number>('for what may still be charged'),
  }),
  'budget.reserved': event('debug', 'Before a send: what it may cost is set aside.', {
    credits: fact<number>('for this send'),
    reserved: fact<number>('for all that is on its way'),
    spent: fact<number>('by the run so far'),
    budget: fact<number>('what the run may spend'),
  }),
};

function leadsThatAre(status: keyof RunTally['byStatus']): LogField<RunTally> {
  return { about: 'leads', of: ({ byStatus }) => byStatus[status] };
}
