// Prints the end of a run: its summary, what to do next, and with --quiet only that leads have no answer.
import type { RunReport } from '../../app/run/run-options.js';
import type { JobSettings } from '../../app/settings/job-settings.js';
import { tellWhy } from '../../model/report/advice.js';
import { describeLeadless, leadsIn, type RunTally, unansweredLeads } from '../../model/tally.js';
import { printable, printableJson } from '../../model/text/printable.js';
import { advise, stateFlag } from './advise.js';
import { formatCount, formatNumber } from './format.js';
import type { Progress } from './progress.js';
import { summaryJson, summaryLines } from './summary.js';

interface PrintOptions {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** The command that continues this run, as a user would type it. */
  readonly commandToContinue: string;
}

export function printReport(
  report: RunReport,
  settings: JobSettings,
  options: PrintOptions,
  progress: Progress,
): void {
  const { run, tally } = report;
  if (options.isQuiet && !options.isJson) {
    const silent = unansweredLine(report, settings.state);
    if (silent !== undefined) process.stderr.write(`${silent}\n`);
    return;
  }
  if (options.isJson) {
    const text = `${printableJson(JSON.stringify(summaryJson(run, tally, report)))}\n`;
    // If the table goes to standard output, the summary must not be mixed into it.
    (settings.out === '-' ? process.stderr : process.stdout).write(text);
    return;
  }
  for (const line of summaryLines(run, tally, report)) progress.say(line);
  for (const { name, renamedTo } of report.renames) {
    progress.say(`The input has a column ${name} already: Sluice's own is called ${renamedTo}.`);
  }
  if (!report.isFinished) {
    progress.say(`Continue with: ${options.commandToContinue}`);
    if (settings.collect !== 'poll' && leadsIn(tally, 'awaiting') > 0) {
      progress.say('Meanwhile, "sluice listen" with the same state keeps what is delivered.');
    }
  }
  for (const line of advise(report, options.commandToContinue, settings.state)) {
    progress.say(line);
  }
}

/** The line of a quiet run about leads without an answer, and files without a lead; undefined if there are none. */
function unansweredLine({ exported, run, tally }: RunReport, state: string): string | undefined {
  const leadless = describeLeadless(tally, run.sources);
  const rejects = exported?.rejects ?? null;
  const said = [
    lackingAnswers(tally),
    leadless && (rejects === null ? leadless : `${leadless} (their reasons: ${rejects})`),
  ].filter((part) => part !== undefined);
  if (said.length === 0) return undefined;
  return printable(
    `sluice: Run ${run.id} of ${run.job}: ${said.join('; ')}. ${tellWhy(run, { state: stateFlag(state) })}`,
  );
}

function lackingAnswers(tally: RunTally): string | undefined {
  const count = unansweredLeads(tally);
  if (count === 0) return undefined;
  const all = (['failed', 'timed_out', 'uncertain'] as const).map(
    (status) => [status, tally.byStatus[status]] as const,
  );
  const isSkipped = all.every(([, leads]) => leads === 0);
  const kinds = isSkipped ? [['skipped', count] as const] : all;
  const parts = kinds
    .filter(([, leads]) => leads > 0)
    .map(([status, leads]) => `${formatNumber(leads)} ${status}`)
    .join(', ');
  return `${formatNumber(count)} of ${formatCount(tally.leads, 'lead')} got no answer (${parts})`;
}
