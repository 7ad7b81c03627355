// npm run sweep [-- NAME [N [SEED]]…]: the sweeps of test/faults/ and some others, whole; then docs/reliability.md
// from their figures. With names only those are run, and the others keep their last figures; of model and
// model-processes N says how many sequences, and SEED which. `postgres` is run only by its name, alone, and writes
// docs/reliability-postgres.md. Exit code 1 where anything did not hold.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IS_NUMBER = /^\d+$/;
const chosen = process.argv.slice(2).filter((word) => !IS_NUMBER.test(word));
const isPostgres = chosen.includes('postgres');
const RESULTS = join(ROOT, 'data', isPostgres ? 'sweep-postgres' : 'sweep');
const PAGE = isPostgres ? 'docs/reliability-postgres.md' : 'docs/reliability.md';
const PROGRESS_MS = 60_000;
const HOSTILE_REQUESTS = 100_000;
const SEEDS = '3';

/** The numbers behind its name on the command line say how many sequences, and from which seed. */
function modelEnv(name, usual) {
  const words = process.argv.slice(2);
  const [runs = usual, seed = 1] = words
    .slice(words.indexOf(name) + 1)
    .filter((word, i, all) => all.slice(0, i + 1).every((one) => IS_NUMBER.test(one)));
  return {
    SLUICE_MODEL_RUNS: String(words.includes(name) ? runs : usual),
    SLUICE_MODEL_SEED: String(words.includes(name) ? seed : 1),
    SLUICE_SWEEP_RESULT: join(RESULTS, `${name}.figures`),
  };
}

/** In this order. */
const USUAL = [
  {
    name: 'in-process',
    file: 'test/faults/each-call.test.ts',
    env: { SLUICE_FAULT_SEEDS: SEEDS, SLUICE_SWEEP_RESULT: join(RESULTS, 'in-process.figures') },
  },
  {
    name: 'hostile',
    file: [
      'test/security/hostile.test.ts',
      'test/security/hostile-pages.test.ts',
      'test/security/listener-attacks.test.ts',
      'test/security/ui-attacks.test.ts',
    ],
    env: {
      SLUICE_HOSTILE_REQUESTS: String(HOSTILE_REQUESTS),
      SLUICE_SWEEP_RESULT: join(RESULTS, 'hostile.figures'),
      SLUICE_ATTACKS_RESULT: join(RESULTS, 'attacks.figures'),
    },
  },
  { name: 'model', file: 'test/sequences/model.test.ts', env: modelEnv('model', 20_000) },
  {
    name: 'model-processes',
    file: 'test/sequences/processes.test.ts',
    env: modelEnv('model-processes', 200),
  },
  { name: 'two-processes', file: 'test/faults/two-processes.test.ts' },
  { name: 'full-disk', file: 'test/faults/full-disk.test.ts' },
  { name: 'all-faults', file: 'test/faults/all-faults.test.ts' },
  { name: 'moments', file: 'test/faults/moments.test.ts' },
  { name: 'boundaries', file: 'test/faults/boundaries.test.ts' },
];
const POSTGRES = [
  {
    name: 'postgres',
    file: [
      'test/faults/workers.test.ts',
      'test/faults/database.test.ts',
      'test/e2e/schedules.test.ts',
    ],
  },
];
const SWEEPS = isPostgres ? POSTGRES : USUAL;

/** What each row of the first table was, in the words of the report. */
const ABOUT = {
  'SIGKILL at every boundary':
    'before and after each SQL statement and commit, each request (before it, before its first byte, when its answer begins, when it is whole), each call that opens, reads, writes, syncs, renames or removes a file; the n-th one for n = 1, 2, 3 … until the run has no more.',
  'every call fails once':
    'the same calls, with `SQLITE_IOERR`, `SQLITE_FULL`, `SQLITE_BUSY`, `ECONNRESET`, `EIO` or `ENOSPC`. A process may end with one sentence and exit code 2 to 5, never with a stack trace or exit code 70.',
  'SIGKILL at random moments': 'by a timer, up to three times in a row over one job.',
  'all faults at 5 %':
    'one job over 5,000 leads, started again until it is done; the sandbox makes every fault that it knows, each with this probability.',
  'two processes at the same moment': 'one works, the other ends with exit code 75.',
  'several workers':
    'four workers, four jobs, two accounts, a listener; a frozen process has the port that one of the jobs names, whose results come elsewhere. Workers are killed with `SIGKILL`, or frozen for longer than their lease; the server is stopped as by a power cut, every tenth connection is cut at its `COMMIT` for a while, or all processes together get 5 connections; the listener is frozen, and another one waits for its port; up to six times in each round.',
  'frozen, and taken over':
    'a process stands still (`SIGSTOP`) until another one has taken its job over, and goes on (`SIGCONT`).',
  'server stopped hard':
    'the server loses what is not on its disk, and starts again up to 9 s later, while a run works.',
  'packets swallowed':
    'the network lets nothing through for 5 s, in either direction, while a run works.',
  'connections cut at COMMIT':
    'each tenth connection, before the `COMMIT` arrives or before its answer does.',
  'full disk':
    'more KiB left each time, until a run fits. It ends with one sentence and exit code 5, and continues once there is room.',
};

/** What each row of the last table was. */
const ATTACKS = {
  none: 'no attack',
  'expect-banana': '600 connections that send `Expect: banana`, and stay',
  'slow-headers': '600 connections that send a header byte by byte',
  'requests-in-one-chunk': '100 connections that send 2,621 requests at once',
  'one-key-many-connections': '600 connections that have shown the key of one lead, and stay',
  'many-values': '8 MiB of `[{},{},…]`, two at a time',
  deep: '8 MiB of brackets, too many levels and just not too many, two at a time',
  large: '8 MiB of one text, always another one, two at a time',
  replay: 'the same 16 KiB 30,000 times',
  'events-by-lead-key': '8 MiB of events, two at a time',
  'other-leads': 'results for the tickets of other leads',
  'many-large-under-one-key': '40 different bodies of 8 MiB',
  mixed: 'the hostile requests above, 16 at a time, with keys of every kind',
};

const unknown = chosen.filter((name) => SWEEPS.every((sweep) => sweep.name !== name));
if (unknown.length > 0) {
  const which = `There are ${names(USUAL)}; and postgres, which is run alone.`;
  console.error(`There is no sweep ${unknown.join(', ')} to be run here. ${which}`);
  process.exit(2);
}
const { status: built } = spawnSync('npm', ['run', '--silent', 'build'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (built !== 0) process.exit(built ?? 1);
if (chosen.length === 0 || isPostgres) rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

for (const sweep of SWEEPS) {
  if (chosen.length > 0 && !chosen.includes(sweep.name)) continue;
  console.log(`${time()}  ${sweep.name} …`);
  const outcome = await run(sweep);
  console.log(`${time()}  ${sweep.name}: ${outcome.status === 0 ? 'held' : 'DID NOT HOLD'}`);
  if (outcome.status !== 0) console.log(outcome.tail);
  write(`${sweep.name}.outcome`, outcome);
}
const { text, hasHeld } = report();
writeFileSync(join(ROOT, PAGE), text);
console.log(`${time()}  ${hasHeld ? 'everything held' : 'NOT everything held'}: ${PAGE}`);
process.exit(hasHeld ? 0 : 1);

function run({ name, file, env = {} }) {
  const startedAt = performance.now();
  // One file at a time: they would disturb each other's latencies.
  const how = ['--maxConcurrency=8', '--no-file-parallelism', '--reporter=dot'];
  const flags = ['vitest', 'run', ...[file].flat(), ...how];
  // On a disk, whose time processes that are killed need as well; the thousands of sequences stay in memory.
  const place = name === 'model' ? {} : { TMPDIR: tmpdir() };
  const child = spawn('npx', ['--no-install', ...flags], {
    cwd: ROOT,
    env: { ...process.env, ...place, SLUICE_SWEEP: 'whole', SLUICE_SWEEP_RESULTS: RESULTS, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-20_000);
    });
  }
  const progress = setInterval(() => {
    const open = figures().filter(({ isDone }) => !isDone);
    const lines = open.map((one) => `${one.mode} ${one.lives} lives`);
    const { sequences } = read(`${name}.figures`);
    if (sequences !== undefined) lines.push(`${count(sequences)} sequences`);
    console.log(`${time()}    ${lines.join(', ') || 'at work'}`);
  }, PROGRESS_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(progress);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      resolve({ status, seconds, date: new Date().toISOString(), tail: said.slice(-4_000) });
    });
  });
}

/** What the tests of test/faults/ have written, one for each sweep and mode. */
function figures() {
  return readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')));
}

function report() {
  const all = figures();
  const outcomes = SWEEPS.map((sweep) => ({ ...sweep, ...read(`${sweep.name}.outcome`) }));
  const missing = outcomes.filter(({ status }) => status === undefined);
  const broken = all.flatMap((one) =>
    one.broken.map((what) => `${one.sweep}, ${one.mode}: ${what}`),
  );
  const isWhole = all.every((one) => one.isWhole && one.isDone);
  const hasHeld =
    missing.length === 0 &&
    isWhole &&
    broken.length === 0 &&
    outcomes.every(({ status }) => status === 0);
  const sum = (name) => all.reduce((total, one) => total + one[name], 0);
  const last = outcomes.reduce((latest, { date = '' }) => (date > latest ? date : latest), '');
  const figuresSaid = `${count(sum('lives'))} jobs were brought to their end by ${count(sum('processes'))} real processes. The ledger of
the sandbox, a process of its own, accepted ${count(sum('accepted'))} enrichments, and **${sum('doubled')} of them twice**. ${hasHeld ? 'Everything held.' : '**Not everything held**; see the end.'}`;
  const made = `on ${last.slice(0, 10)}, on ${machine()}; [again](#repeat-it).`;
  const figuresTable = [
    table(all),
    `Lives: jobs that were brought to their end. Uncertain: leads whose request left without an answer that says whether the
platform took it; nothing is sent again for them.`,
    [...new Set(all.map((one) => one.sweep))]
      .map((name) => `- **${name}**: ${ABOUT[name] ?? ''}`)
      .join('\n'),
  ];
  const sections = isPostgres
    ? ofPostgres(figuresSaid, made, figuresTable)
    : ofUsual(figuresSaid, made, figuresTable, outcomes);
  if (!hasHeld) {
    const lines = [
      ...missing.map(({ name }) => `${name} has not been run`),
      ...outcomes.filter(({ status }) => (status ?? 0) !== 0).map(({ name }) => `${name} failed`),
      ...(isWhole ? [] : ['some figures are of a short or unfinished sweep']),
      ...broken.slice(0, 50),
    ];
    const text = lines.map((line) => `- ${line.replaceAll(/\s+/g, ' ').slice(0, 400)}`).join('\n');
    sections.push('## What did not hold', text);
  }
  return { text: `${sections.join('\n\n')}\n`, hasHeld };
}

function ofUsual(figuresSaid, made, figuresTable, outcomes) {
  return [
    '# Reliability',
    `Every lead is answered for and nothing is paid for twice, whatever dies in between. ${figuresSaid}`,
    `Made by \`npm run sweep\` ${made}`,
    ...figuresTable,
    '## What has to hold',
    `- Every lead has a row, in input order, and an outcome.
- The ledger accepted no fingerprint twice.
- Every cell is the one that an undisturbed run writes, except \`enriched_at\`, and \`enrichment_id\`, which follows the order of
  acceptance and is compared with the ledger. \`uncertain\` leads are left out.
- With webhooks, nothing that was accepted stays \`uncertain\` once its webhook has come. With polling it may, but never more
  than was being sent at that moment.
- No process ends as a bug or with a stack trace, or leaves half a table.`,
    '## Beside the command line',
    others(outcomes),
    '## Under attack',
    underAttack(),
    '## Repeat it',
    `\`\`\`sh
npm ci
npm run sweep
npm run sweep -- ${SWEEPS.at(-1)?.name} # one of: ${names(SWEEPS)}
npm run sweep -- model 500 7 # 500 sequences of commands, from seed 7
\`\`\`

It takes one to two hours on two cores. The suite runs the same tests with only some of the boundaries. The full disk needs
Linux with user namespaces (\`unshare\`), and is skipped elsewhere.`,
  ];
}

function ofPostgres(figuresSaid, made, figuresTable) {
  return [
    '# Reliability with PostgreSQL',
    `What [several machines](several-machines.md) meet: workers that die or stand still, a server that is stopped, connections that
are cut. ${figuresSaid}`,
    `Made by \`npm run sweep -- postgres\` ${made} What is struck at every statement and every request is in
[reliability](reliability.md).`,
    ...figuresTable,
    '## What has to hold',
    `- Every lead has a row and an outcome; each row has the ticket that the ledger has for it.
- The ledger accepted no fingerprint twice.
- Several workers: each job has one run, which finished; in no window were more requests than the limit of its account, all
  workers together; \`uncertain\` are at most those that a killed or frozen worker was sending.
- One process: every cell is the one that an undisturbed run writes; it ends with one sentence, and never as a bug.`,
    '## Repeat it',
    `\`\`\`sh
npm ci
npm run sweep -- postgres
\`\`\`

It takes half an hour on two cores, and starts PostgreSQL servers of its own. The suite runs the same tests short.`,
  ];
}

function table(all) {
  const order = Object.keys(ABOUT);
  const rows = all
    .toSorted(
      (a, b) => order.indexOf(a.sweep) - order.indexOf(b.sweep) || (a.mode < b.mode ? -1 : 1),
    )
    .map((one, i, rows) => [
      // Each once, in the first of its rows.
      one.sweep === rows[i - 1]?.sweep ? '' : one.sweep,
      one.mode,
      Object.entries(one.struck)
        .map(([what, n]) => `${what} ${count(n)}`)
        .join(', ') || '·',
      count(one.lives),
      count(one.processes),
      count(one.leads),
      count(one.accepted),
      one.doubled,
      one.uncertain,
      one.isDone && one.broken.length === 0 ? 'yes' : '**no**',
      count(one.seconds),
    ]);
  const head = [
    'sweep',
    'mode',
    'struck',
    'lives',
    'processes',
    'leads',
    'accepted',
    'twice',
    'uncertain',
    'held',
    's',
  ];
  return [head, head.map((_, i) => (i < 3 ? '---' : '--:')), ...rows].map(line).join('\n');
}

function others(outcomes) {
  const of = (name) => outcomes.find((one) => one.name === name) ?? {};
  const hostile = read('hostile.figures');
  const model = read('model.figures');
  const processes = read('model-processes.figures');
  const { seeds = [], modes = [] } = read('in-process.figures');
  const inAll = (name) => modes.reduce((total, mode) => total + mode[name], 0);
  const rows = [
    [
      'Hostile requests to the listener beside a good sender; no delivery is lost or changed, and memory does not grow',
      hostile.requests === undefined
        ? '·'
        : `${count(hostile.requests)} requests, ${count(hostile.stored)} of ${count(hostile.sent)} deliveries stored, ${hostile.wrong} wrong`,
      of('hostile'),
    ],
    [
      'Every call of a run to store and platform fails or is the last one; simulated clock; answers late, empty, refused or lost',
      `${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}, ${count(inAll('lives'))} lives, ${count(inAll('processes'))} processes, ${inAll('doubled')} sent twice, ${inAll('lost')} lost, ${inAll('unclaimed')} unclaimed`,
      of('in-process'),
    ],
    [
      'Random sequences of commands over one state file, judged after each by a model: overlapping inputs, jobs, accounts, budgets, stale answers, broken dialects, two at once, deaths at any call',
      tried(model),
      of('model'),
    ],
    ['The same through real processes, with SIGKILLs', tried(processes), of('model-processes')],
  ].map(([what, tried, { status, seconds }]) => [
    what,
    tried,
    status === 0 ? 'yes' : '**no**',
    count(seconds ?? 0),
  ]);
  const head = ['sweep', 'tried', 'held', 's'];
  return [head, ['---', '---', '--:', '--:'], ...rows].map(line).join('\n');
}

/** The attacks on a listener. */
function underAttack() {
  const { attacks = {}, commit, date, load, seconds } = read('attacks.figures');
  const size = (bytes) => (bytes === null ? '·' : tidy(bytes / 1e6));
  const rows = Object.entries(ATTACKS).map(([name, what]) => {
    const one = attacks[name];
    if (one === undefined) return [`${name}: ${what}`, ...Array(6).fill('·')];
    return [
      `${name}: ${what}`,
      `${one.lost} of ${one.sent}`,
      one.p50 === null ? 'lost' : tidy(one.p50),
      one.p99 === null ? 'lost' : tidy(one.p99),
      size(one.peakMemory),
      size(one.stateAfter - one.stateBefore),
      one.settleMs === null ? '·' : tidy(one.settleMs / 1000),
    ];
  });
  const head = ['attack', 'lost', 'p50 ms', 'p99 ms', 'peak MB', 'state MB', 'replay s'];
  return `\`sluice listen\` has a state file with 1,000 leads, nearly all waiting for their answer. An attacker is another process.
Meanwhile ten genuine deliveries come each second, each once, over a connection of its own, given up after 30 s. An attack
lasts ${seconds ?? '·'} s, or until all of it is sent; if it sends bodies, it has the key of one lead. Then a replay settles what came,
and every lead must be what it would be without the attack. Measured at commit ${commit ?? '·'}, of ${date ?? '·'}, at a load of
${load ?? '·'}; above 2, other programs were running.

${[head, head.map((_, i) => (i === 0 ? '---' : '--:')), ...rows].map(line).join('\n')}

Lost: not answered with 200 at the first attempt; in a percentile, longer than any answer. Peak: memory of the listener.
State: growth of the state file. Replay: its duration.`;
}

/** Of numbers below 10 with one place. */
function tidy(n) {
  return n < 10 ? n.toFixed(1) : count(Math.round(n));
}

function tried({ sequences = 0, steps = 0, payments = 0, deaths = 0, seed = 0 }) {
  if (sequences === 0) return '·';
  return `${count(sequences)} sequences from seed ${seed}, ${count(steps)} steps, ${count(payments)} payments, ${count(deaths)} deaths`;
}

function line(cells) {
  return `| ${cells.join(' | ')} |`;
}

function names(sweeps) {
  return sweeps.map(({ name }) => name).join(', ');
}

function count(n) {
  return Number(n).toLocaleString('en-US');
}

function machine() {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${model}), ${memory} GiB of memory, and Node ${process.version.slice(1)}`;
}

function time() {
  return new Date().toTimeString().slice(0, 8);
}

function write(name, value) {
  writeFileSync(join(RESULTS, name), JSON.stringify(value, null, 2));
}

function read(name) {
  try {
    return JSON.parse(readFileSync(join(RESULTS, name), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}
