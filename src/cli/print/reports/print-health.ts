// What the doctor found, for people and for scripts.
import { CHECK_NAMES, examineSetup, type HealthCheck } from '../../../app/doctor/examine-setup.js';
import { SluiceError } from '../../../model/errors.js';
import { parseRate, type Rate } from '../../../model/schedule/rate.js';
import { printable } from '../../../model/text/printable.js';
import { commandEnvironment, openEnvFile } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { loadJobSettings } from '../../flags/load-job-settings.js';
import type { PlatformArguments } from '../../flags/platform-flags.js';
import { formatCount } from '../format.js';

const NAME_WIDTH = Math.max(...CHECK_NAMES.map((name) => name.length));
const VERDICT_WIDTH = 'skipped'.length;

/** Exit code 1 where a check failed. */
export async function printHealth(
  wish: PlatformArguments & { readonly job: string | undefined },
): Promise<void> {
  const { job, json, url, dialect, rate, state } = wish;
  const flags = { url, dialect, rate, state };
  const loadJob = job === undefined ? undefined : () => loadJobSettings(job, flags);
  const checks: HealthCheck[] = [];
  const given = {
    loadJob,
    url,
    dialect,
    state,
    rate: rateOf(rate),
  };
  const settings = { openEnvFile, environment: commandEnvironment };
  for await (const check of examineSetup(given, settings)) {
    checks.push(check);
    if (!json) console.log(lineOf(check));
  }
  const failed = checks.filter(({ verdict }) => verdict === 'fail').length;
  const warned = checks.filter(({ verdict }) => verdict === 'warn').length;
  if (json) console.log(JSON.stringify({ job: job ?? null, healthy: failed === 0, checks }));
  else console.log(`\n${verdictOf(failed, warned)}`);
  if (failed > 0) process.exitCode = EXIT.unanswered;
}

function lineOf({ check, verdict, says, advice }: HealthCheck): string {
  const told = advice === null ? says : `${says} ${advice}`;
  return `${verdict.padEnd(VERDICT_WIDTH)}  ${check.padEnd(NAME_WIDTH)}  ${printable(told)}`;
}

function verdictOf(failed: number, warned: number): string {
  const warnings = warned === 0 ? '' : `, ${formatCount(warned, 'warning')}`;
  if (failed > 0) return `${formatCount(failed, 'check')} failed${warnings}.`;
  return `Nothing stands in the way of a run${warnings}.`;
}

function rateOf(text: string | undefined): Rate | undefined {
  if (text === undefined) return undefined;
  const rate = parseRate(text);
  if (rate !== undefined) return rate;
  throw new SluiceError('usage', '--rate: a rate is written like 20/2s, or off.', { flag: 'rate' });
}
