// Runs that may pay, and what has to hold at their end: exit codes, tables, lists, and the forecast of a plan.
import type { Ended, Line } from './machine.js';
import { type Asking, demand, jobOf, type Model } from './rules.js';
import type { STEERINGS, Wish } from './steps.js';
import { freshForMsOf, linesOf, type SeenRun, type World, wantedOf } from './world.js';

/** Reasons that say that the platform refused a request, or that its answer could not be taken. */
const NO_ANSWER =
  /(^|: )(refused by the platform: |the answer came and cannot be read|ticket shared with )/;

/** Of docs/exit-codes.md, those that one of these commands may end with. */
const DOCUMENTED = new Set([0, 1, 2, 4, 6, 7, 8, 10, 75]);
/** Paid requests that are out before an answer shows that the dialect reads what comes. */
const FIRST_BATCH_MAX = 50;

/** Of a job with `keep`; no job is told a longer `fresh-for`. */
const KEPT_MS = 30 * 86_400_000;

const OPEN: ReadonlySet<string> = new Set(['queued', 'submitting', 'awaiting']);
const UNASKED: ReadonlySet<string> = new Set(['skipped', 'not_asked']);

/** What was done so far, for whoever counts. */
export const played = {
  sequences: 0,
  steps: 0,
  payments: 0,
  deaths: 0,
  /** Steps by their kind. */
  kinds: {} as Record<string, number>,
};

/** What a person does while runs are at work. */
export interface Beside {
  readonly what: (typeof STEERINGS)[number];
  readonly line: Line;
  /** Told before anything is judged. */
  readonly hear: (ended: Ended) => void;
}

/** Who else was at work. */
interface Company {
  readonly isAlone: boolean;
  /** On the same job. */
  readonly isBusy: boolean;
  readonly steered: Beside['what'] | undefined;
}

/** Starts them at the same moment, beside what a person does meanwhile. */
export async function enrich(
  wishes: readonly Wish[],
  model: Model,
  world: World,
  beside?: Beside,
): Promise<Ended[]> {
  model.lastWish = wishes[0];
  const askings = wishes.map(askingOf);
  const tables = wishes.map(({ job }) => world.table(world.outOf(job)));
  const lines: Line[] = [];
  for (const wish of wishes) lines.push({ args: await world.argsOf(wish), diesAt: wish.diesAt });
  if (beside !== undefined) lines.push(beside.line);
  const paidBefore = model.payments;
  const ended = await world.machine.runAll(lines);
  if (wishes.some(({ keep }) => keep !== undefined)) model.pruned(world.machine.now() - KEPT_MS);
  played.deaths += ended.filter(({ code }) => code === null).length;
  beside?.hear(ended.at(-1) as Ended);
  await judge(model, world, askings);
  model.late = ended.some(({ code }) => code === null) ? askings : [];
  const paid = model.payments - paidBefore;
  demand(
    model.hasAnswers || paid <= FIRST_BATCH_MAX,
    `${paid} were paid before the first answer that can be read`,
  );
  const isAlone = lines.length === 1;
  const company = { isAlone, isBusy: wishes[0]?.job === wishes[1]?.job, steered: beside?.what };
  for (const [i, wish] of wishes.entries()) {
    const end = ended[i] as Ended;
    judgeEnd(wish, end, model, world, company);
    judgeTable(wish, end, tables[i], model, world, {
      isAlone,
      isOnlyRun: wishes.length === 1,
    });
    if (wish.list === true) noteList(wish, end, model, world);
    if (wish.changes === true && isAlone) judgeChanges(wish, end, model, world);
  }
  judgeLists(model, world);
  return ended;
}

/** What the ledgers and the tables say now. */
export async function judge(model: Model, world: World, askings: readonly Asking[]): Promise<void> {
  const entries = world.newEntries();
  const seen = await world.look();
  const payments = model.take(entries);
  model.looked(seen, (run) => accountOf(run, world));
  const wrong = world.stored.miscounts();
  demand(wrong.length === 0, () => `the state file counts ${JSON.stringify(wrong)}`);
  model.paid(payments, askings);
}

function judgeEnd(
  wish: Wish,
  { code, stderr }: Ended,
  model: Model,
  world: World,
  { isAlone, isBusy, steered }: Company,
): void {
  if (code === null) return;
  const told = `exit ${code}: ${stderr}`;
  demand(DOCUMENTED.has(code), told);
  const isDisturbed =
    world.dialect !== 'right' || world.weather === 'lossy' || world.weather === 'refusing';
  demand(code !== 2, told);
  if (code === 4) {
    // The user has to look for a list of which it is not known whether it was created.
    const isListLost = wish.list === true && model.mayLackList;
    demand(isDisturbed || world.weather === 'poor' || isListLost, told);
  }
  if (code === 6) demand(wish.budget !== undefined, told);
  if (code === 10) demand(wish.stopBelow !== undefined, told);
  if (code === 7) demand(steered === 'cancel', told);
  if (code === 8) demand(model.paused.has(wish.job) || steered === 'pause', told);
  if (code === 75) demand(isBusy || steered === 'retry', told);
  // Of two at once, the other one may have answered more meanwhile.
  if (code > 1 || !isAlone) return;
  const run = model.runs.findLast((one) => jobOf(one.run.job) === wish.job);
  const statuses = (run?.rows ?? []).map(({ askedAgain, status }) =>
    // A newer request that is on its way is waited for; one that failed leaves the row as it was.
    askedAgain === undefined || askedAgain === 'failed' ? status : askedAgain,
  );
  const isOpen = statuses.some((one) => OPEN.has(one));
  // Nobody could be asked for, other than those who must not be.
  const isNobody =
    statuses.every((one) => one === 'skipped') && linesOf(wish.job, statuses.length).includes(null);
  const count = (...of: string[]) => statuses.filter((one) => of.includes(one)).length;
  const failed = count('failed');
  // An error of a lead is an answer, unless there are many, or nothing was found beside them.
  const isMuch = failed * 5 > statuses.length - count('skipped', 'not_asked');
  const isUnanswered =
    isNobody ||
    count('timed_out', 'uncertain') > 0 ||
    (run?.rows ?? []).some(({ reason }) => NO_ANSWER.test(reason ?? '')) ||
    isMuch ||
    (failed > 0 && count('found') === 0);
  demand(!isOpen, `exit ${code}, and leads are open: ${statuses.join(', ')}`);
  demand(code === (isUnanswered ? 1 : 0), `exit ${code}, and the leads are ${statuses.join(', ')}`);
}

/** Every input line has its row, each with what the store knows, and none that had an answer is without one. */
function judgeTable(
  wish: Wish,
  { code }: Ended,
  before: Record<string, string>[] | undefined,
  model: Model,
  world: World,
  { isAlone, isOnlyRun }: { readonly isAlone: boolean; readonly isOnlyRun: boolean },
): void {
  const after = world.table(world.outOf(wish.job));
  const run = model.runs.findLast((one) => jobOf(one.run.job) === wish.job);
  if (isAlone && (code === 0 || code === 1)) {
    const lines = world.linesNow(wish);
    demand(after?.length === lines.length, `${after?.length} rows for ${lines.length} lines`);
    const isAsked = (line: number | null | undefined) =>
      typeof line === 'number' && !model.suppressed.has(line) && wantedOf(wish, line).length > 0;
    const asked = (run?.rows ?? []).filter(
      ({ position, status }) => !UNASKED.has(status) && isAsked(lines[position - 1]),
    );
    const could = lines.filter(isAsked).length;
    const wanted = Math.min(could, wish.sample ?? could);
    // A suppressed person may be in the sample.
    const least = wish.sample === undefined ? wanted : wanted - model.suppressed.size;
    demand(
      asked.length <= wanted && asked.length >= least,
      `${asked.length} leads are asked, and ${wanted} are to be`,
    );
    for (const [i, row] of (run?.rows ?? []).entries()) {
      const told = after?.[i]?.['sluice_status'];
      demand(told === row.status, `line ${i + 1} is ${told} in the table, and ${row.status}`);
    }
  }
  // Another ask, another account or a narrower input make another table.
  const terms = JSON.stringify([wish.ask, wish.onlyMissing, wish.other, wish.limit, wish.sample]);
  const last = model.tables.get(wish.job);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  model.tables.set(wish.job, isOnlyRun ? terms : '');
  const isLess = model.hasForgotten || model.suppressed.size > 0;
  if (!isOnlyRun || last !== terms || isLess || after === undefined) return;
  for (const [i, row] of (before ?? []).entries()) {
    if (row['sluice_status'] !== 'found') continue;
    const now = after[i]?.['sluice_status'];
    demand(
      now === 'found' || now === 'not_found',
      `line ${i + 1} was found in the table, and is ${now}`,
    );
  }
}

/** What differs from the last finished run is told, and the later values are those of this run. */
function judgeChanges(wish: Wish, { code, stdout }: Ended, model: Model, world: World): void {
  if (code !== 0 && code !== 1) return;
  const told = JSON.parse(stdout) as {
    readonly run: number;
    readonly changes: { readonly rows: number; readonly since: number } | null;
  };
  const ofJob = model.runs.filter(({ run }) => jobOf(run.job) === wish.job);
  const before = ofJob.findLast(({ run }) => run.id < told.run && run.state === 'finished');
  const since = told.changes?.since ?? 0;
  demand(since >= (before?.run.id ?? 0), `changes since run ${since}, not ${before?.run.id}`);
  if (told.changes === null) return;
  const table = world.table(world.changesOf(wish.job)) ?? [];
  const { rows } = told.changes;
  demand(table.length === rows, `${table.length} rows of changes, and ${rows} are told`);
  const now = ofJob.find(({ run }) => run.id === told.run)?.rows ?? [];
  for (const { changes, email_after: email = '', line_after: line = '' } of table) {
    demand(changes !== '', `a row of changes tells none`);
    const lead = now.find((one) => line !== '' && one.line === Number(line));
    const known = lead?.result?.find_email?.email ?? '';
    demand(email === known, `line ${line} has ${known}, and its change tells ${email}`);
  }
}

/** Whoever has an address is in the list of the run once it has ended. */
function noteList(wish: Wish, { code }: Ended, model: Model, world: World): void {
  if (code === null || world.weather === 'lossy') model.mayLackList = true;
  const run = model.runs.findLast((one) => jobOf(one.run.job) === wish.job);
  if (run === undefined) return;
  const addresses = run.rows.flatMap(({ result }) => result?.find_email?.email ?? []);
  const known = model.listed.get(run.run.id) ?? 0;
  const isEnded = code === 0 || code === 1;
  model.listed.set(run.run.id, isEnded ? new Set(addresses).size : known);
}

/** A run creates one list at most, and no person is missing. */
function judgeLists({ listed }: Model, world: World): void {
  const { lists, members } = world.lists;
  demand(lists <= listed.size, `${listed.size} runs wanted a list, and there are ${lists}`);
  const least = [...listed.values()].reduce((sum, one) => sum + one, 0);
  demand(members >= least, `${least} leads must be in lists, and ${members} are`);
}

function askingOf(wish: Wish): Asking {
  return {
    account: wish.other === true ? 1 : 0,
    asksOf: (person) => wantedOf(wish, person),
    job: wish.job,
    persons: new Set(linesOf(wish.job).filter((one) => one !== null)),
    freshForMs: freshForMsOf(wish),
    resend: wish.resend === true,
    budget: wish.budget,
  };
}

export function accountOf({ run }: SeenRun, world: World): number {
  return world.accountOf(run.account);
}

export function isOpenRun({ state }: SeenRun['run']): boolean {
  return state === 'reading' || state === 'working';
}
