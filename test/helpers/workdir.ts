// A folder for one test, with the command line in it: write files, run a command, look at the files.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { performHosted } from './command-host.js';
import { type Ended, type Running, type StartOptions, startCommand } from './command-line.js';
import { atFileEnd } from './file-end.js';
import { miscounts } from './miscounts.js';

let root: string | undefined;
let count = 0;
atFileEnd(() => {
  const miscounted = root === undefined ? [] : miscountedBelow(root);
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
  root = undefined;
  // Whatever the tests of a file did, the numbers of every run are those of its leads.
  if (miscounted.length > 0) throw new Error(miscounted.join('\n'));
});

function miscountedBelow(folder: string): string[] {
  // Not by readdir itself: it follows links, and a test may have one to the root of the machine.
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return miscountedBelow(path);
    return entry.isFile() && entry.name.endsWith('.db') ? miscountedIn(path) : [];
  });
}

function miscountedIn(path: string): string[] {
  try {
    return miscounts(path).map((one) => `${path}: ${JSON.stringify(one)}`);
  } catch {
    // It was no state file, or a damaged one.
    return [];
  }
}

export const CREDENTIALS = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' };

/** `SLUICE_URL` where a test names no other; credentials are the sandbox's unless a test wants none. */
export function openWorkdir(
  url?: string,
  credentials: Readonly<Record<string, string>> = CREDENTIALS,
): Workdir {
  if (root === undefined) {
    root = mkdtempSync(join(tmpdir(), 'sluice-e2e-'));
    chmodSync(root, 0o755);
  }
  count += 1;
  const env = { ...credentials, ...(url === undefined ? {} : { SLUICE_URL: url }) };
  return new Workdir(join(root, String(count)), env);
}

type Make = (dir: Workdir) => Promise<unknown>;
const prepared = new Map<Make, Promise<string>>();
/** Gone with the test run: another test file may copy the same. */
let originals: string | undefined;

/**
 * A folder with what `make` has made in another one: made once in this process, and copied. For tests that look at what
 * a run has left; a state knows its files from where it stands, and may be moved with them.
 */
export async function openPrepared(make: Make, url?: string): Promise<Workdir> {
  const original = prepared.get(make) ?? prepare(make);
  prepared.set(make, original);
  const dir = openWorkdir(url);
  cpSync(await original, dir.path, { recursive: true, preserveTimestamps: true });
  return dir;
}

async function prepare(make: Make): Promise<string> {
  originals ??= mkdtempSync(join(tmpdir(), 'sluice-prepared-'));
  const dir = new Workdir(join(originals, String(prepared.size)), CREDENTIALS);
  await make(dir);
  return dir.path;
}

/** To be prepared: in state.db a run of leads that were found, doubled, not found, failed and skipped. */
export async function finishedRun(dir: Workdir): Promise<void> {
  dir.write('leads.csv', csv([...people(12), ...people(2), ...people(1, 31), 'Zoe,,']));
  const flags =
    '--out out.csv --ask find_email --set rate=off --state state.db --url sandbox --quiet';
  await dir.sluice(`enrich leads.csv ${flags}`);
}

type CommandOptions = Omit<StartOptions, 'cwd'>;
export type Row = Readonly<Record<string, string>>;

export class Workdir {
  constructor(
    readonly path: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    mkdirSync(path);
    // Some tests run a command as another user.
    chmodSync(path, 0o777);
  }

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Uint8Array): this {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
    return this;
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  text(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  /** Every file below the folder, by its path from there. */
  files(): string[] {
    const entries = readdirSync(this.path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .toSorted();
  }

  /** The rows of a CSV file, by the names in its header. */
  rows(name: string): Row[] {
    return parseRows(this.text(name));
  }

  /** Every line of a CSV file as its cells, the header first. */
  cells(name: string): string[][] {
    return parse(this.text(name), { bom: true });
  }

  header(name: string): string[] {
    return this.cells(name)[0] ?? [];
  }

  /**
   * Performs `sluice ARGS` to its end (a text is cut at its spaces), in a process that stays and does one after the other.
   * Where the process is the point, as where the command needs more than an environment and an input, it is started.
   */
  sluice(args: string | readonly string[], options: CommandOptions = {}): Promise<Ended> {
    const { env = {}, stdin = '', ...more } = options;
    const words = wordsOf(args);
    const needsOwn =
      Object.keys(more).length > 0 || Object.keys(env).some((name) => name.startsWith('NODE_'));
    if (needsOwn) return this.start(words, options).ended;
    return performHosted(words, { cwd: this.path, env: { ...this.env, ...env }, stdin });
  }

  /** The JSON of a command, whatever its exit code. */
  async json(
    args: string | readonly string[],
    options: CommandOptions = {},
  ): Promise<ReturnType<typeof JSON.parse>> {
    const { code, stdout, stderr } = await this.sluice([...wordsOf(args), '--json'], options);
    if (stdout === '') throw new Error(`Printed nothing (exit ${code}): ${stderr}`);
    return JSON.parse(stdout);
  }

  /** The complaint of a command that is refused, or fails in another way, by its exit code. */
  async refusal(
    args: string | readonly string[],
    { code = 2, ...options }: CommandOptions & { readonly code?: number } = {},
  ): Promise<string> {
    const ended = await this.sluice(args, options);
    expect(ended).toMatchObject({ code });
    return complaintOf(ended);
  }

  start(args: string | readonly string[], options: CommandOptions = {}): Running {
    return startCommand(wordsOf(args), {
      ...options,
      cwd: this.path,
      env: { ...this.env, ...options.env },
    });
  }
}

function wordsOf(args: string | readonly string[]): readonly string[] {
  return typeof args === 'string' ? args.split(' ') : args;
}

/** The rows of CSV text, by the names in its header. */
export function parseRows(text: string): Row[] {
  return parse(text, { bom: true, columns: true });
}

/** The one sentence that a failed command says; throws where there are none or several. */
export function complaintOf({ code, stdout, stderr }: Ended): string {
  const lines = stderr.trimEnd().split('\n');
  const complaints = lines.filter((line) => line.startsWith('sluice: '));
  const [complaint] = complaints;
  if (complaint === undefined || complaints.length > 1 || lines.at(-1) !== complaint) {
    throw new Error(`Not one sentence at the end (exit ${code}): ${stderr}\n${stdout}`);
  }
  return complaint.slice('sluice: '.length);
}

/** `count` people at as many companies, from the `from`-th on. Of the first 30 none fails in the sandbox; 31 does. */
export function people(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, i) => `Eve${from + i},Byron,firm${from + i}.com`);
}

/** A CSV file with the columns first_name, last_name and domain. */
export function csv(lines: readonly string[]): string {
  return ['first_name,last_name,domain', ...lines, ''].join('\n');
}
