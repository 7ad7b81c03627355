// sluice known: what the state knows without having paid for it.

import { addressDigest } from '../../../app/platform/account.js';
import { accountNamed, demandPlatform } from '../../../app/platform/known-account.js';
import { stateOf } from '../../../app/settings/command-settings.js';
import { importKnown, type TakenAnswers } from '../../../app/state/import-known.js';
import { DEFAULTS } from '../../../config/defaults.js';
import { COLUMN_INPUTS } from '../../../model/ask.js';
import { wrongUse } from '../../../model/errors.js';
import { FOUND_NAMES } from '../../../model/mapping/found-columns.js';
import { tellBadLines } from '../../../model/report/bad-lines.js';
import { formatCount, formatNumber } from '../../../model/text/count.js';
import { parseDate } from '../../../model/text/date.js';
import { command, type Said } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { parseInputs } from '../../job-flags.js';
import { withStateAt } from '../../open-state.js';
import {
  durationOf,
  JSON_OPTION,
  needed,
  PLATFORM_OPTIONS,
  STATE_OPTION,
  text,
  texts,
  toggle,
} from '../../options.js';

const { account, dialect, url } = PLATFORM_OPTIONS;

const importCommand = command({
  command: 'import <file>',
  describe: 'Take answers that were bought elsewhere from a table, for nothing',
  args: {
    file: needed(
      'A table of Sluice, or of another tool: CSV, NDJSON or workbook; - is standard input',
    ),
  },
  options: {
    map: texts('Column of an input, as INPUT=COLUMN; others are guessed as those of leads are'),
    found: texts(
      'Column of an answer, as NAME=COLUMN with a name of docs/columns.md, such as email, phone or enriched_at; = alone for none',
    ),
    at: text('The date of answers whose rows have none, like 2026-11-21 or 21.11.2026'),
    'dry-run': toggle('Keep nothing: say what would be taken, and of each line why not'),
    account,
    url,
    dialect,
    ...STATE_OPTION,
    ...JSON_OPTION,
  },
  examples: {
    'sluice known import old.csv --account acme --dry-run': 'What would be taken',
    'sluice known import leads.csv --found email=Mail --at 2026-11-01 --account acme': '',
  },
  handler: async (args) => {
    const wish = {
      file: args.file,
      map: parseInputs('--map', { inputs: COLUMN_INPUTS, value: 'COLUMN' }, args.map ?? []),
      found: parseInputs('--found', { inputs: FOUND_NAMES, value: 'COLUMN' }, args.found ?? []),
      at: dateOf(args.at),
      freshForMs: durationOf('fresh-for', DEFAULTS.freshFor),
      standardInput: process.stdin,
    };
    if (args['dry-run']) return saidOf(await importKnown(wish, undefined));
    const environment = commandEnvironment();
    demandPlatform(args, environment);
    return withStateAt(stateOf(args.state, environment), async (store, state) => {
      const by = await accountNamed(args, environment, store);
      const known = (await store.accounts()).find((one) => one.account === by);
      const at = args.url ?? environment.url;
      const address = at === undefined ? (known?.address ?? '') : addressDigest(at);
      const report = await importKnown(wish, { store, state, account: by, address });
      for (const line of tellBadLines(report.left, 'line', 'left out')) console.error(line);
      return saidOf(report);
    });
  },
});

function dateOf(date: string | undefined): number | undefined {
  const at = date === undefined ? undefined : parseDate(date);
  if (date === undefined || at !== undefined) return at;
  throw wrongUse(
    '--at wants a date like 2026-11-21, 21.11.2026 or 2026-11-21T13:00:00Z; 11/12/2026 has two meanings.',
  );
}

/** `3 leads (2 find_email, 1 find_phone)` */
function whatIsThere({ answers, byAsk }: TakenAnswers): string {
  const asks = Object.entries(byAsk).map(([ask, n]) => `${formatNumber(n)} ${ask}`);
  return `${formatCount(answers, 'lead')}${asks.length === 0 ? '' : ` (${asks.join(', ')})`}`;
}

function takenLines(report: TakenAnswers): string[] {
  const { kept, left } = report;
  if (kept === null) {
    const lines = left.first.map(({ place, reason }) => `${place}: ${reason}`);
    const more = left.count - lines.length;
    return [
      ...lines,
      ...(more > 0 ? [`and ${formatNumber(more)} more`] : []),
      `Would be taken: ${whatIsThere(report)}.`,
      ...oldLines(report),
    ];
  }
  const { known, run, suppressed, taken } = kept;
  const aside = [
    ...(known === 0 ? [] : [`${formatNumber(known)} known already`]),
    ...(suppressed === 0 ? [] : [`${formatNumber(suppressed)} of people who are suppressed`]),
  ].map((text) => `; ${text}`);
  return [
    `Run ${run}: ${formatNumber(taken)} taken of ${whatIsThere(report)}${aside.join('')}. Nothing was asked, and nothing paid.`,
    ...oldLines(report),
    ...(left.count === 0 ? [] : [`"sluice export ${run}" says of each line why it was left out.`]),
  ];
}

function oldLines({ ageMsMax, old }: TakenAnswers): string[] {
  if (old === 0) return [];
  const days = Math.ceil(ageMsMax / 86_400_000) + 1;
  return [
    `Older than ${DEFAULTS.freshFor}: ${formatCount(old, 'answer')}. A run asks again for what is that old, unless it has --fresh-for ${days}d.`,
  ];
}

/** With constant keys. */
function saidOf(report: TakenAnswers): Said {
  const { answers, byAsk, kept, left, old } = report;
  const { known = null, run = null, suppressed = null, taken = null } = kept ?? {};
  const counts = {
    run,
    answers,
    old,
    by_ask: new Map(Object.entries(byAsk)),
    taken,
    known,
    suppressed,
    left_out: left.count,
  };
  return { data: { ...counts, lines: left.first }, lines: takenLines(report) };
}

export const knownCommands = command({ commands: [importCommand] });
