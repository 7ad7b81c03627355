// Events outside the run itself: of the platform, the listener and files, and of other commands.
import type { RequestKind } from '../../ports/platform.js';
import type { CellChange } from '../../ports/table-writer.js';
import type { ErrorCode } from '../errors.js';
import { DURATION, event, fact, partly, unlogged } from './fact.js';

/** The purpose of a request: the name of a call, never its address. */
export const ROUTES = [
  'submit',
  'submit_bulk',
  'result',
  'account',
  'people_schema',
  'hooks',
  'list_create',
  'list_add',
  'contacts',
  'draft',
  'dialect_check',
] as const;
export type Route = (typeof ROUTES)[number];

const ROUTE = fact<Route>('what is asked for');
const REQUEST = { route: ROUTE, attempt: fact<number>('which sending of it, from 1') };
const STATUS = fact<number>('of HTTP');
const REQUEST_KIND = fact<RequestKind>('`submit` or `poll`');
const PAUSE = partly<number>({ pause_ms: { about: 'how long', of: Math.round } });
const PORT = fact<number>('where');

export const WIRE_EVENTS = {
  'platform.ready': event(
    'info',
    'The platform answered a question that costs nothing, before the first that does.',
    { durationMs: DURATION },
  ),
  'platform.back': event('info', 'It answers again, after failures in a row that were warned of.', {
    durationMs: DURATION,
  }),
  'request.sent': event('trace', 'A request is about to leave.', REQUEST),
  'request.answered': event('debug', 'Its answer is here.', {
    ...REQUEST,
    status: STATUS,
    durationMs: DURATION,
  }),
  'request.failed': event('warn', 'No answer came.', {
    ...REQUEST,
    fate: fact<'unsent' | 'lost'>('`unsent`: not a byte left; `lost`: it may have arrived'),
    code: fact<string>('what broke, like `ECONNREFUSED`'),
    durationMs: DURATION,
  }),
  'limit.waited': event('trace', 'The rate limit held a request back.', {
    request: REQUEST_KIND,
    permits: fact<number>('requests that may go now'),
    durationMs: DURATION,
  }),
  'limit.paused': event(
    'warn',
    'The platform asked for a pause, by 429 or as its dialect says: nothing is sent.',
    { route: ROUTE, status: STATUS, pauseMs: PAUSE },
  ),
  'requests.slowed': event('warn', 'Requests failed in a row: the next one waits.', {
    request: REQUEST_KIND,
    pauseMs: PAUSE,
  }),
  'write.repeated': event('warn', 'The state could not be written; it is tried again.', {
    attempt: fact<number>('which one failed, from 1'),
    reason: fact<string>('why'),
    pauseMs: PAUSE,
  }),
  'hook.added': event('info', 'A webhook was registered on the platform.', {
    hook: fact<string>('its id'),
    type: fact<string>('what it delivers'),
  }),
  'listener.opened': event('info', 'Deliveries can come.', {
    port: PORT,
    isShared: fact<boolean>('whether another process listens there for this one'),
  }),
  'listener.closed': event('info', 'This process takes no more deliveries.', { port: PORT }),
  'deliveries.kept': event('debug', 'Deliveries and events are on the disk.', {
    count: fact<number>('how many'),
    repeated: fact<number>('what was there already'),
    settled: fact<number>('what was not kept, since its lead has its answer'),
    full: fact<number>('what was not kept, since one key may keep no more'),
  }),
  'deliveries.refused': event('debug', 'The listener refused a request.', {
    reason: fact<string>('one of those in [Webhooks](webhooks.md)'),
    status: STATUS,
  }),
  'connections.dropped': event(
    'debug',
    'All connections of the listener were taken, and new ones came: once a second at most.',
    {
      keyless: fact<number>('how many were closed that had shown no key'),
      keyed: fact<number>('how many that had'),
    },
  ),
  'deliveries.handled': event(
    'debug',
    'Deliveries were settled; the counts are of their entries.',
    {
      deliveries: fact<number>('how many'),
      settled: fact<number>('entries that ended an enrichment'),
      postponed: fact<number>('empty entries, whose answer is asked for again'),
      unchanged: fact<number>('entries that came twice, late, or say nothing'),
      unknown: fact<number>(
        'entries for tickets that are not known here, or that are not those of the key beside them',
      ),
    },
  ),
  'journal.replayed': event('info', '`sluice replay` went through the journal.', {
    deliveries: fact<number>('how many were pending'),
    changed: fact<number>('enrichments that changed'),
  }),
  'events.followed': event('debug', '`sluice events --follow` printed events.', {
    count: fact<number>('how many'),
    last: fact<number>('number of the last one'),
  }),
  'list.created': event('info', 'A contact list was created.', { list: fact<string>('its id') }),
  'list.filled': event('info', 'The chosen leads of the run are in its contact list.', {
    list: fact<string>('its id'),
    added: fact<number>('leads that were put in'),
    alreadyIn: fact<number>('leads that were in it already'),
  }),
  'table.exported': event('info', 'The table is written.', {
    out: unlogged<string>(),
    rows: fact<number>('how many'),
    rejects: partly<string | null>({
      has_rejects: {
        about: 'whether a file of rejects is beside it',
        of: (path) => path !== null,
      },
    }),
    changed: partly<readonly CellChange[]>({
      changed_cells: {
        about:
          'cells that are in the table otherwise than they were, since its format cannot hold them or they had controls',
        of: (changes) => changes.reduce((sum, { cells }) => sum + cells, 0),
      },
    }),
    durationMs: DURATION,
  }),
  'metrics.served': event('info', 'Metrics can be scraped.', { port: PORT }),
  'metrics.written': event('debug', 'The metrics file is written.', { path: unlogged<string>() }),
  'command.failed': event('error', 'The command ends with an error.', {
    code: fact<ErrorCode | 'bug'>('as in `--json`'),
    exitCode: fact<number>('of the process'),
    message: fact<string>('what failed, and what to do'),
  }),
};
