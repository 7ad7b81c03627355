// How the log tells of runs, their leads and their enrichments.
import { DURATION, type EventOf, field, LEFT, type LogEntries, SEVERAL } from './log-entry.js';
import { type RunEvent, WARNINGS } from './run-event.js';

/** The kinds of events that are told here; log-wire-events.ts has the others. */
export type RunKind = Extract<
  RunEvent['kind'],
  `${'run' | 'job' | 'state' | 'folder' | 'leads' | 'enrichments' | 'budget'}.${string}`
>;

export const RUN_ENTRIES: LogEntries<RunKind> = {
  'run.started': {
    level: 'info',
    about: 'A run begins, or is continued.',
    fields: {
      is_continued: field('whether an earlier process began it', (e) => e.isContinued),
      leads: field('those in the state file already', (e) => e.run.leadCount),
    },
  },
  'run.recovered': {
    level: 'warn',
    about: 'An earlier process died between sending and saving: these enrichments are uncertain.',
    fields: { uncertain: field('how many', (e) => e.uncertain) },
  },
  'run.resumed': {
    level: 'info',
    about: 'Work that an earlier process left.',
    fields: LEFT,
  },
  'run.mapped': {
    level: 'info',
    about: 'It is known which columns feed which inputs.',
    fields: {
      inputs: field('the inputs that have a column, without its name', (e) =>
        e.mapping.map(({ input }) => input).join(','),
      ),
      guessed: field('how many of them were guessed', (e) =>
        e.mapping.reduce((sum, { isGuessed }) => sum + (isGuessed ? 1 : 0), 0),
      ),
    },
  },
  'run.detected': {
    level: 'info',
    about: 'The encoding or the delimiter of the input was guessed, and is not UTF-8 or a comma.',
    fields: {
      what: field('`encoding` or `delimiter`', (e) => e.detection.what),
      value: field('which', (e) => e.detection.value),
    },
  },
  'run.resending': {
    level: 'warn',
    about: '`--resend-uncertain`: these may be paid for twice.',
    fields: { count: field('how many', (e) => e.count) },
  },
  'run.adopted': {
    level: 'info',
    about: 'Work that another run had taken over and not ended comes back.',
    fields: {
      ...LEFT,
      uncertain: field('given up, since nobody can be sending them any more', (e) => e.uncertain),
    },
  },
  'run.draining': {
    level: 'info',
    about: 'The run shall end: nothing new is sent, what is under way is saved.',
    fields: { by: field('`signal` or `cancel`', (e) => e.by) },
  },
  'run.warned': {
    level: 'warn',
    about: 'Somebody should look at something; the run goes on.',
    fields: {
      warning: field(WARNINGS.map((warning) => `\`${warning}\``).join(', '), (e) => e.warning),
      message: field('the sentence that a terminal shows', (e) => e.message),
    },
  },
  'run.ended': {
    level: 'info',
    about: 'The work on a run is over, finished or not.',
    fields: {
      result: field(
        '`ok`, `unanswered`, `stopped` (by a signal), or an error code',
        (e) => e.result,
      ),
      leads: field('how many leads it has', (e) => e.tally.leads),
      rejects: field('lines that became no lead', (e) => e.tally.rejects),
      ...Object.fromEntries(
        (['found', 'not_found', 'failed', 'timed_out', 'uncertain', 'skipped'] as const).map(
          (status) => [
            status,
            field<EventOf<'run.ended'>>('leads', (e) => e.tally.byStatus[status]),
          ],
        ),
      ),
      from_cache: field('leads that share a payment', (e) => e.tally.fromCache),
      credits: field('what the run paid', (e) => e.tally.credits),
      ...DURATION,
    },
  },
  'run.reopened': {
    level: 'info',
    about: '`sluice retry` put failures back to work.',
    fields: {
      ...LEFT,
      answered: field('answered by a later run meanwhile', (e) => e.answered),
    },
  },
  'state.new': {
    level: 'info',
    about: 'Nothing has run with this state file yet: nothing that was paid for is known to it.',
    fields: {
      path: field('where it is', (e) => e.path),
      beside: field('another one in its folder, which may have been meant', (e) => e.beside ?? ''),
    },
  },
  'job.locked': { level: 'debug', about: 'This process has the job to itself.', fields: {} },
  'job.released': { level: 'debug', about: 'Others may work on the job again.', fields: {} },
  'folder.unchanged': {
    level: 'info',
    about: 'Every file of a drop folder is done: there was nothing to run.',
    fields: { files: field('how many there are', (e) => e.files) },
  },
  'leads.read': {
    level: 'debug',
    about: 'A batch of leads is in the state file.',
    fields: {
      position: field('leads read so far', (e) => e.position),
      leads: field('in this batch', (e) => e.leads),
      queued: field('enrichments that are to be sent because of it', (e) => e.count.queued),
      awaiting: field(
        'enrichments that are awaited because of it, at no cost',
        (e) => e.count.awaiting,
      ),
      cached: field('leads answered already', (e) => e.count.cached),
      shared: field('leads that share an open enrichment', (e) => e.count.shared),
      skipped: field('leads that cannot be asked for', (e) => e.count.skipped),
      rejects: field('lines that became no lead', (e) => e.rejects),
    },
  },
  'leads.complete': {
    level: 'info',
    about: 'The whole input is read.',
    fields: { leads: field('how many leads it has', (e) => e.leads) },
  },
  'enrichments.claimed': {
    level: 'debug',
    about: 'It is on the disk that these are about to be sent.',
    fields: SEVERAL,
  },
  'enrichments.submitted': {
    level: 'debug',
    about: 'The platform accepted these, and their tickets are saved.',
    fields: SEVERAL,
  },
  'enrichments.requeued': {
    level: 'debug',
    about: 'Certainly not accepted: these will be sent again.',
    fields: SEVERAL,
  },
  'enrichments.postponed': {
    level: 'debug',
    about: 'Asked for, and not answered yet: these will be asked for again.',
    fields: SEVERAL,
  },
  'enrichments.settled': {
    level: 'debug',
    about: 'These ended.',
    fields: {
      outcome: field(
        '`found`, `not_found`, `failed`, `timed_out` or `uncertain`',
        (e) => e.outcome,
      ),
      by: field('`submit`, `poll` or `webhook`', (e) => e.by),
      credits: field('what they cost together', (e) => e.credits),
      ...SEVERAL,
    },
  },
  'budget.reserved': {
    level: 'debug',
    about: 'Before a send: what it may cost is set aside.',
    fields: {
      credits: field('for this send', (e) => e.credits),
      reserved: field('for all that is on its way', (e) => e.reserved),
      spent: field('by the run so far', (e) => e.spent),
      budget: field('what the run may spend', (e) => e.budget),
    },
  },
};
