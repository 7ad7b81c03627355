// The page with the findings of `sluice doctor`.
import type { HealthCheck } from '../../app/doctor/examine-setup.js';
import type { Verdict } from '../../app/doctor/finding.js';
import { html, type Markup } from '../../html/markup.js';
import { badge, commandLine, dataTable, type Tone, wordsOf } from '../../html/parts.js';
import { formatCount } from '../../model/text/count.js';
import { shellWord } from '../../model/text/printable.js';
import { type Choice, link, selectField } from '../links.js';
import { PATHS, pathTo } from '../paths.js';

export interface DoctorView {
  readonly job: string | undefined;
  /** The job in the form of a command's argument. */
  readonly argument: string | undefined;
  /** The jobs to choose from. */
  readonly jobs: readonly Choice[];
  /** Null before a page asked for them. */
  readonly checks: readonly HealthCheck[] | null;
}

const TONES: Readonly<Record<Verdict, Tone>> = {
  ok: 'good',
  warn: 'warn',
  fail: 'bad',
  skipped: 'idle',
};

/** Checks that need a user come first. */
const ORDER: readonly Verdict[] = ['fail', 'warn', 'ok', 'skipped'];

export function layOutDoctor({ argument, checks, job, jobs }: DoctorView): Markup {
  return html`<h1>Doctor</h1>
<form class="filters" method="get" action="${PATHS.doctor}">${selectField(
    'job',
    'Job',
    job,
    jobs,
    'None: program and state alone',
  )}<input type="hidden" name="look" value="now"><button class="main">${checks === null ? 'Check now' : 'Check again'}</button></form>
${checks === null ? beforeLook(argument) : resultOf(checks, job)}`;
}

function beforeLook(argument: string | undefined): Markup {
  return html`<p>Choose the job that you want to run, and press “Check now”: its file, its input, the credentials and the platform are checked, beside the program and the state. That costs nothing, changes nothing, and takes some seconds.</p><p class="quiet">On the command line:</p>${commandLine(
    argument === undefined ? 'sluice doctor' : `sluice doctor ${shellWord(argument)}`,
  )}`;
}

function resultOf(checks: readonly HealthCheck[], job: string | undefined): Markup {
  const count = (verdict: Verdict) => checks.filter((one) => one.verdict === verdict).length;
  const failed = count('fail');
  const warned = count('warn');
  const warnings = warned === 0 ? '' : `, ${formatCount(warned, 'warning')}`;
  const verdict =
    failed > 0
      ? `${formatCount(failed, 'check')} failed${warnings}. Fix what failed, then check again.`
      : `Nothing stands in the way of a run${warnings}.`;
  const columns = [
    { name: 'Check' },
    { name: 'Verdict', isEvident: true },
    { name: 'Says', isLong: true, isEvident: true },
  ];
  const sorted = ORDER.flatMap((verdict) => checks.filter((one) => one.verdict === verdict));
  const rows = sorted.map(({ advice, check, says, verdict: one }) => [
    wordsOf(check),
    badge(one, TONES[one]),
    html`${says}${advice !== null && html`<br><strong>What to do:</strong> ${advice}`}`,
  ]);
  return html`<p class="big" role="status">${verdict}${job !== undefined && html` ${link(pathTo(PATHS.job, { job }), 'To the job')}`}</p>${dataTable({ caption: 'Checks', isCaptionHidden: true, isStacked: true, columns, rows })}`;
}
