// Packs Sluice, installs the package into an empty folder and globally into a prefix, and goes from there to an
// enriched file, as a newcomer would, under this Node or another: `npm run try-package`, `npm run try-package -- 24`,
// by hand, before a release. Takes minutes where no ready-made binary of SQLite fits. Prints every command with its
// time; ends with 1 at the first failure.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { packageFor } from '../dist/store/sqlite/database/better-sqlite3.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sluice-package-'));
const PORT = 20_000 + (process.pid % 12_000);
const env = {
  ...process.env,
  SLUICE_USERNAME: 'sandbox',
  SLUICE_PASSWORD: 'sandbox',
};
/** Their installation runs a script, SQLite's only on Node 20; npm from 11 on wants to be told that it may. */
const ALLOWED = { allowScripts: { 'better-sqlite3': true, node: true } };
const LEADS = `First name,Last name,Company website
Ada,Lovelace,analytical-works.com
ADA,lovelace,https://www.analytical-works.com/about
Grace,Hopper,harbour.example.com
Katherine,,
`;

/** A program that uses the types: leads from memory, whose rows are handed on, through a function of its own. */
const PROGRAM = `import {
  type Carrying, cancelRun, describeJob, openSandbox, openStore, pauseJob, Platform, type Row, readEnvironment, resumeJob,
  runJob, setCaps, SluiceError, suppress,
} from 'sluice';

const sandbox = await openSandbox({ rate: 'off' });
const credentials = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' };
const state = 'program.db';
const job = describeJob('program', { ask: ['find_email'], url: sandbox.url, rate: ['20/2s', '100/60s'], state });
const paths: string[] = [];
const carrying: Carrying = async (url, request, send) => {
  paths.push(request.method + ' ' + new URL(url).pathname);
  return send(url, request);
};
const store = await openStore(state);
await suppress(store, { email: 'nobody@engines.example' }, { reason: 'asked us to' });
await setCaps(store, { url: sandbox.url, account: 'sandbox', day: 500 });
await pauseJob(store, 'program');
await resumeJob(store, 'program', { state });
const rows: Row[] = [];
const [report] = await runJob(job, {
  environment: readEnvironment(credentials),
  leads: [{ first: 'Ada', 'Last name': 'Lovelace', 'Company domain': 'engines.example' }],
  carrying,
  onRow: (row) => rows.push(row),
});
if (rows[0]?.['first'] !== 'Ada' || report?.isFinished !== true || paths.length < 2) throw new Error(JSON.stringify({ rows, paths }));
try {
  await cancelRun(store, report.run.id);
} catch (error) {
  if (!(error instanceof SluiceError)) throw error;
}
const platform = Platform.open({ baseUrl: sandbox.url, credentials: { username: 'a', password: 'b' }, rate: 'off' });
await platform.close();
await store.close();
await sandbox.close();
`;

let sandbox;
try {
  const [version] = process.argv.slice(2);
  const isOld = packageFor(version ?? process.versions.node) !== 'better-sqlite3';
  if (version !== undefined) useNode(version);
  console.log(`Node ${run('node --version', folder, ['node', '--version']).trim()}`);
  const one = makeFolder('project', { 'package.json': JSON.stringify(isOld ? ALLOWED : {}) });
  const packed = run('npm pack', root, ['npm', 'pack', '--pack-destination', folder]);
  const tarball = join(folder, packed.trim().split('\n').at(-1) ?? '');
  // From Node 22 on, no script is needed.
  const allowed = isOld ? ['--allow-scripts=better-sqlite3'] : ['--ignore-scripts'];
  run('an empty folder: npm i', one, ['npm', 'i', ...(isOld ? [] : allowed), tarball]);
  usePath(join(one, 'node_modules', '.bin'));
  writeFileSync(join(one, 'program.mts'), PROGRAM);
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2023', ...types];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  run('the library: its types', one, ['node', tsc, ...strict, 'program.mts']);
  run('the library: a program', one, ['node', 'program.mjs']);

  const prefix = makeFolder('prefix');
  const flags = ['--prefix', prefix, ...allowed];
  run('globally: npm i -g', folder, ['npm', 'i', '-g', ...flags, tarball]);
  usePath(join(prefix, 'bin'));

  const leads = makeFolder('leads', { 'leads.csv': LEADS });
  const url = `http://127.0.0.1:${PORT}`;
  run('sluice --help', leads, ['sluice', '--help']);
  sandbox = spawn(
    join(prefix, 'bin', 'sluice'),
    ['sandbox', '--port', String(PORT), '--latency', '1s'],
    { env },
  );
  await new Promise((resolve, reject) => {
    sandbox.stdout.once('data', resolve);
    sandbox.once('exit', reject);
  });
  const begun = performance.now();
  run('sluice init', leads, ['sluice', 'init', 'leads.csv', '--yes', '--url', url], true);
  run('sluice doctor', leads, ['sluice', 'doctor', 'leads'], true);
  run('sluice plan', leads, ['sluice', 'plan', 'leads'], true);
  run('sluice run', leads, ['sluice', 'run', 'leads'], true);
  const table = readFileSync(join(leads, 'data/out/leads.csv'), 'utf8').trimEnd().split('\n');
  console.log(table.map((line) => `    ${line.slice(0, 100)}`).join('\n'));
  if (table.length !== 5) throw new Error(`The table has ${table.length} lines, and not 5.`);
  console.log(`From init to the enriched file: ${secondsSince(begun)}`);
  // A binding that does not fit ends a process only now and then.
  for (let i = 0; i < 20; i += 1) run('sluice explain', leads, ['sluice', 'explain', '1', '2']);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  sandbox?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function makeFolder(name, files = {}) {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

/** That version of the npm package `node`, with its headers, against which SQLite's binding is compiled. */
function useNode(version) {
  const place = makeFolder('node', { 'package.json': JSON.stringify(ALLOWED) });
  run(`npm i node@${version}`, place, ['npm', 'i', `node@${version}`]);
  usePath(join(place, 'node_modules', 'node', 'bin'));
  const [build] = globSync('node_modules/**/include/node/node_api.h', { cwd: place });
  if (build === undefined) throw new Error(`The package node@${version} has no headers here.`);
  env.npm_config_nodedir = resolve(place, dirname(build), '..', '..');
}

function usePath(bin) {
  env.PATH = `${bin}${delimiter}${env.PATH}`;
}

/** Returns what it printed. */
function run(title, cwd, [program, ...args], isShown = false) {
  const begun = performance.now();
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
  });
  console.log(`${secondsSince(begun).padStart(7)}  ${title}`);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${title} ended with ${status}:\n${stdout}\n${stderr}`);
  for (const line of isShown ? `${stdout}${stderr}`.trimEnd().split('\n') : warningsIn(stderr)) {
    console.log(`    ${line}`);
  }
  return stdout;
}

function warningsIn(stderr) {
  return stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line));
}

function secondsSince(begun) {
  return `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
}
