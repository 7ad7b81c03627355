// How the log tells of what a run does to the world: the platform, the listener, files; and of other commands.
import { DURATION, field, type LogEntries, PAUSE, REQUEST } from './log-entry.js';
import type { RunKind } from './log-run-events.js';
import type { RunEvent } from './run-event.js';

export const WIRE_ENTRIES: LogEntries<Exclude<RunEvent['kind'], RunKind>> = {
  'platform.ready': {
    level: 'info',
    about: 'The platform answered a question that costs nothing, before the first that does.',
    fields: DURATION,
  },
  'platform.back': {
    level: 'info',
    about: 'It answers again, after failures in a row that were warned of.',
    fields: DURATION,
  },
  'request.sent': { level: 'trace', about: 'A request is about to leave.', fields: REQUEST },
  'request.answered': {
    level: 'debug',
    about: 'Its answer is here.',
    fields: { ...REQUEST, status: field('of HTTP', (e) => e.status), ...DURATION },
  },
  'request.failed': {
    level: 'warn',
    about: 'No answer came.',
    fields: {
      ...REQUEST,
      fate: field('`unsent`: not a byte left; `lost`: it may have arrived', (e) => e.fate),
      code: field('what broke, like `ECONNREFUSED`', (e) => e.code),
      ...DURATION,
    },
  },
  'limit.waited': {
    level: 'trace',
    about: 'The rate limit held a request back.',
    fields: {
      request: field('`submit` or `poll`', (e) => e.request),
      permits: field('requests that may go now', (e) => e.permits),
      ...DURATION,
    },
  },
  'limit.paused': {
    level: 'warn',
    about: 'The platform asked for a pause, by 429 or as its dialect says: nothing is sent.',
    fields: { route: REQUEST.route, status: field('of HTTP', (e) => e.status), ...PAUSE },
  },
  'requests.slowed': {
    level: 'warn',
    about: 'Requests failed in a row: the next one waits.',
    fields: { request: field('`submit` or `poll`', (e) => e.request), ...PAUSE },
  },
  'write.repeated': {
    level: 'warn',
    about: 'The state file could not be written; it is tried again.',
    fields: {
      attempt: field('which one failed, from 1', (e) => e.attempt),
      reason: field('why', (e) => e.reason),
      ...PAUSE,
    },
  },
  'hook.added': {
    level: 'info',
    about: 'A webhook was registered on the platform.',
    fields: {
      hook: field('its id', (e) => e.hook),
      type: field('what it delivers', (e) => e.type),
    },
  },
  'listener.opened': {
    level: 'info',
    about: 'Deliveries can come.',
    fields: {
      port: field('where', (e) => e.port),
      is_shared: field('whether another process listens there for this one', (e) => e.isShared),
    },
  },
  'listener.closed': {
    level: 'info',
    about: 'This process takes no more deliveries.',
    fields: { port: field('where', (e) => e.port) },
  },
  'deliveries.kept': {
    level: 'debug',
    about: 'Deliveries and events are on the disk.',
    fields: {
      count: field('how many', (e) => e.count),
      repeated: field('what was there already', (e) => e.repeated),
      settled: field('what was not kept, since its lead has its answer', (e) => e.settled),
      full: field('what was not kept, since one key may keep no more', (e) => e.full),
    },
  },
  'deliveries.refused': {
    level: 'debug',
    about: 'The listener refused a request.',
    fields: {
      reason: field('one of those in [Webhooks](webhooks.md)', (e) => e.reason),
      status: field('of HTTP', (e) => e.status),
    },
  },
  'connections.dropped': {
    level: 'debug',
    about: 'All connections of the listener were taken, and new ones came: once a second at most.',
    fields: {
      keyless: field('how many were closed that had shown no key', (e) => e.keyless),
      keyed: field('how many that had', (e) => e.keyed),
    },
  },
  'deliveries.handled': {
    level: 'debug',
    about: 'Deliveries were settled; the counts are of their entries.',
    fields: {
      deliveries: field('how many', (e) => e.deliveries),
      settled: field('entries that ended an enrichment', (e) => e.settled),
      postponed: field('empty ones, to be asked for once more', (e) => e.postponed),
      unchanged: field('entries that came twice, late, or say nothing', (e) => e.unchanged),
      unknown: field(
        'entries for tickets that nobody here knows, or that are not those of the key beside them',
        (e) => e.unknown,
      ),
    },
  },
  'journal.replayed': {
    level: 'info',
    about: '`sluice replay` went through the journal.',
    fields: {
      deliveries: field('how many were pending', (e) => e.deliveries),
      changed: field('enrichments that changed', (e) => e.changed),
    },
  },
  'events.followed': {
    level: 'debug',
    about: '`sluice events --follow` printed events.',
    fields: {
      count: field('how many', (e) => e.count),
      last: field('number of the last one', (e) => e.last),
    },
  },
  'list.created': {
    level: 'info',
    about: 'A contact list was created.',
    fields: { list: field('its id', (e) => e.list) },
  },
  'list.filled': {
    level: 'info',
    about: 'The chosen leads of the run are in its contact list.',
    fields: {
      list: field('its id', (e) => e.list),
      added: field('leads that were put in', (e) => e.added),
      already_in: field('leads that were in', (e) => e.alreadyIn),
    },
  },
  'table.exported': {
    level: 'info',
    about: 'The table stands.',
    fields: {
      rows: field('how many', (e) => e.rows),
      has_rejects: field('whether a file of rejects stands beside it', (e) => e.rejects !== null),
      ...DURATION,
    },
  },
  'metrics.served': {
    level: 'info',
    about: 'Metrics can be scraped.',
    fields: { port: field('where', (e) => e.port) },
  },
  'metrics.written': {
    level: 'debug',
    about: 'The metrics file stands.',
    fields: {},
  },
  'command.failed': {
    level: 'error',
    about: 'The command ends with an error.',
    fields: {
      code: field('as in `--json`', (e) => e.code),
      exit_code: field('of the process', (e) => e.exitCode),
      message: field('what failed, and what to do', (e) => e.message),
    },
  },
};
