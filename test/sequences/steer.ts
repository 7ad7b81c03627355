// Commands that steer or show: what they may do to what is known, and that what only shows changes nothing.
import type { Ended } from './machine.js';
import { demand, jobOf, type Model } from './rules.js';
import { accountOf, enrich, isOpenRun, judge } from './runs.js';
import type { JobName, Step, Wish } from './steps.js';
import type { World } from './world.js';

const PRUNE_AGES = { '1ms': 1, '30d': 30 * 86_400_000 } as const;

export async function planAndEnrich(wish: Wish, model: Model, world: World): Promise<void> {
  // An answer of this very moment is older when it is asked for.
  world.machine.pass(2);
  const plan = await showing(await world.argsOf(wish, 'plan'), model, world);
  demand(plan.code === 0, `plan: exit ${plan.code}: ${plan.stderr}`);
  const forecast = JSON.parse(plan.stdout) as { to_pay: number; credits_max: number };
  const [before, chargedBefore] = [model.payments, model.charged];
  const isContinued = model.runs.some(({ run }) => jobOf(run.job) === wish.job && isOpenRun(run));
  const [ended] = await enrich([wish], model, world);
  const isCalm = world.weather === 'calm' || world.weather.startsWith('empty');
  if (ended === undefined || (ended.code !== 0 && ended.code !== 1) || !isCalm) return;
  if (wish.resend === true) return;
  const paid = model.payments - before;
  const spent = model.charged - chargedBefore;
  demand(
    spent <= forecast.credits_max,
    `the plan said ${forecast.credits_max} credits at most, and ${spent} were charged`,
  );
  // A run that goes on has its leads already, some of them with answers that are stale for a new one.
  demand(
    isContinued ? paid <= forecast.to_pay : paid === forecast.to_pay,
    `the plan said ${forecast.to_pay} to pay, and ${paid} were paid`,
  );
}

export async function meanwhile(
  { afterMs, what, wish }: Extract<Step, { do: 'meanwhile' }>,
  model: Model,
  world: World,
): Promise<void> {
  const last = model.runs.at(-1);
  const stop = world.machine.now() + afterMs - model.longestFreshForMs;
  const argsOf = (): string[] => {
    switch (what) {
      case 'cancel': {
        const open = model.runs.findLast(
          ({ run }) => jobOf(run.job) === wish.job && isOpenRun(run),
        );
        return [what, String(open?.run.id ?? (last?.run.id ?? 0) + 1)];
      }
      case 'pause':
        return [what, nameOf(wish.job, world)];
      case 'retry':
        return [what, String(last?.run.id ?? 1), '--only', 'failed'];
      case 'prune':
        return ['state', what, '--older-than', '1ms', '--yes'];
      case 'forget':
        return ['state', what, 'companyDomain=firm1.com', '--yes'];
      case 'status':
        return [what];
    }
  };
  let isPaused = false;
  let isForgotten = false;
  const hear = ({ code, stderr }: Ended): void => {
    demand([0, 2, 5, 75].includes(code ?? -1), `${what}: exit ${code}: ${stderr}`);
    if (what === 'prune') model.pruned(stop);
    if (code !== 0) return;
    isForgotten = what === 'forget';
    if (isForgotten) model.forgot(1);
    isPaused = what === 'pause';
  };
  await enrich([wish], model, world, {
    what,
    line: { args: stated(argsOf(), world), afterMs },
    hear,
  });
  // What it paid for them is in the ledger, and was not seen before its end.
  if (isForgotten) model.forgot(1);
  if (isPaused) model.paused.add(wish.job);
}

export async function steer(args: string[], model: Model, world: World): Promise<Ended> {
  const ended = await world.run(stated(args, world));
  demand(
    ended.code === 0 || ended.code === 2 || ended.code === 5,
    `exit ${ended.code}: ${ended.stderr}`,
  );
  // 5 only where nothing has run yet.
  demand(ended.code !== 5 || model.runs.length === 0, `exit ${ended.code}: ${ended.stderr}`);
  await judge(model, world, []);
  return ended;
}

export async function retry(
  { anew, only, run: id }: Extract<Step, { do: 'retry' }>,
  model: Model,
  world: World,
): Promise<void> {
  const run = model.runs.find((one) => one.run.id === id);
  const flags = anew === true ? ['--ask-anew'] : [];
  const { code } = await steer(['retry', String(id), '--only', only, ...flags], model, world);
  if (code !== 0 || run === undefined) return;
  // All else is read again for nothing.
  if (only === 'uncertain' || (only === 'failed' && anew === true)) {
    model.retried(run, accountOf(run, world), only);
  }
}

export async function pause(
  { do: what, job }: Extract<Step, { do: 'pause' | 'resume' }>,
  model: Model,
  world: World,
): Promise<void> {
  const { code } = await steer([what, nameOf(job, world)], model, world);
  if (code !== 0) return;
  if (what === 'pause') model.paused.add(job);
  else model.paused.delete(job);
}

export async function prune(
  { olderThan, freshFor }: Extract<Step, { do: 'prune' }>,
  model: Model,
  world: World,
): Promise<void> {
  const keptMs = Math.max(
    model.longestFreshForMs,
    freshFor === undefined ? 0 : PRUNE_AGES[freshFor],
  );
  const at = world.machine.now();
  const flags = freshFor === undefined ? [] : ['--fresh-for', freshFor];
  model.pruned(at - keptMs);
  await steer(['state', 'prune', '--older-than', olderThan, '--yes', ...flags], model, world);
}

export async function forget(person: number, model: Model, world: World): Promise<void> {
  const args = stated(['state', 'forget', `companyDomain=firm${person}.com`, '--yes'], world);
  const ended = await world.run(args);
  demand([0, 2, 5].includes(ended.code ?? -1), `exit ${ended.code}: ${ended.stderr}`);
  if (ended.code === 0) model.forgot(person);
  await judge(model, world, []);
}

/** By the name and the domain; nothing of them is shown, and nothing paid for them, from then on. */
export async function suppress(person: number, model: Model, world: World): Promise<void> {
  // Requests that had left before are in the ledger first.
  await judge(model, world, []);
  const who = [`firstName=EVE${person}`, 'lastName=Byron', `companyDomain=firm${person}.com`];
  const args = stated(['suppress', 'add', ...who, '--reason', 'asked us to'], world);
  const ended = await world.run(args);
  demand(ended.code === 0, `exit ${ended.code}: ${ended.stderr}`);
  model.suppressed.add(person);
  await judge(model, world, []);
}

/** Each value of the table is known from then on, until it is too old by its own date. */
export async function importTable(
  { job, other }: Extract<Step, { do: 'import' }>,
  model: Model,
  world: World,
): Promise<void> {
  await judge(model, world, []);
  const account = other === true ? 1 : 0;
  const bought = world.writeBought(job);
  if (bought.length === 0) return;
  const { code, stderr, stdout } = await world.run(stated(await world.importArgs(account), world));
  demand(code === 0, `exit ${code}: ${stderr}`);
  const { answers, known, suppressed, taken } = JSON.parse(stdout) as Record<string, number>;
  demand(
    answers === new Set(bought.map(({ line }) => line)).size &&
      answers === (taken ?? 0) + (known ?? 0) + (suppressed ?? 0),
    `the table has answers in ${bought.length} cells, and the import says ${stdout}`,
  );
  for (const one of bought) model.imported(account, one, world.machine.now());
  world.machine.pass(2);
  await enrich([{ job, ask: 'contact', ...(other && { other }) }], model, world);
}

export async function show(
  { what, run }: Extract<Step, { do: 'show' }>,
  model: Model,
  world: World,
): Promise<void> {
  const table = world.at(`shown-${run}.csv`);
  const seen = model.runs.find((one) => one.run.id === run);
  const lineOf = async (): Promise<string[]> => {
    switch (what) {
      case 'plan a.csv':
        return world.argsOf({ job: 'a.csv' }, 'plan');
      case 'plan two.yaml':
        return world.argsOf({ job: 'two.yaml' }, 'plan');
      case 'status':
      case 'runs':
        return stated([what], world);
      case 'explain':
        return stated([what, String(run), '2'], world);
      case 'export':
        return stated([what, String(run), '--out', table], world);
      case 'report':
        return stated([what, String(run), '--out', world.at(`shown-${run}.html`)], world);
      case 'prune --dry-run':
        return stated(['state', 'prune', '--older-than', '1ms', '--dry-run'], world);
      case 'forget':
        return stated(['state', what, 'companyDomain=firm1.com'], world);
      case 'audit':
        return stated(await world.auditArgs(), world);
    }
  };
  const ended = await showing(await lineOf(), model, world);
  if (what === 'audit' && ended.stdout !== '') judgeAudit(ended.stdout);
  // What was taken from a table is in a run of its own.
  if (what !== 'export' || ended.code !== 0 || seen === undefined) return;
  const rows = world.table(table) ?? [];
  demand(rows.length === seen.rows.length, `${rows.length} rows for ${seen.rows.length} leads`);
  for (const [i, row] of seen.rows.entries()) {
    const told = rows[i]?.['sluice_status'];
    demand(told === row.status, `line ${i + 1} is ${told} in the table, and ${row.status}`);
  }
}

/** The invoice is right: whatever happened, nobody charged what was not asked, twice, or at another time. */
function judgeAudit(text: string): void {
  const { findings, sends_without_ticket: unnamed } = JSON.parse(text) as {
    readonly findings: Readonly<Record<string, { readonly charges: number }>>;
    readonly sends_without_ticket: number;
  };
  const charges = (finding: string): number => findings[finding]?.charges ?? 0;
  for (const finding of ['never_asked', 'charged_twice', 'other_date', 'not_charged']) {
    demand(
      charges(finding) === 0,
      `a right invoice has ${charges(finding)} of ${finding}: ${text}`,
    );
  }
  const unknown = charges('unknown_ticket');
  demand(
    unknown <= unnamed,
    `${unknown} unknown tickets for ${unnamed} sends without one: ${text}`,
  );
}

/** A command that only shows: it leaves ledger and state file alone. */
async function showing(args: string[], model: Model, world: World): Promise<Ended> {
  const [before, requests] = [await world.stored.dump(), world.requests];
  const ended = await world.run(args);
  const told = `exit ${ended.code}: ${ended.stderr}`;
  demand([0, 1, 2, 3, 5].includes(ended.code ?? -1), told);
  demand(ended.code !== 5 || model.runs.length === 0, told);
  demand((await world.stored.dump()) === before, `${args[0]} changed the state file`);
  demand(world.requests === requests, `${args[0]} asked the platform`);
  return ended;
}

function nameOf(job: JobName, world: World): string {
  return job.endsWith('.csv') ? world.at(job) : job.replace('.yaml', '');
}

function stated(args: string[], world: World): string[] {
  const has = args.includes('--state');
  return [
    ...args,
    ...(has ? [] : ['--state', world.state]),
    ...(args.includes('--json') ? [] : ['--json']),
  ];
}

/** A replay writes no table. */
export function withoutOut(args: readonly string[]): string[] {
  const at = args.indexOf('--out');
  return args.filter((_, i) => at === -1 || (i !== at && i !== at + 1));
}
