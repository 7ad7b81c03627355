// The world of one sequence: a folder with inputs, jobs and a dialect, two accounts, a machine, and what can be seen
// of all of it from outside.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { digestHex } from '../../src/identity/digest.js';
import type { LeadAnswer } from '../../src/model/answer.js';
import type { Ask } from '../../src/model/ask.js';
import type { Run } from '../../src/model/run.js';
import type { RunTally } from '../../src/model/tally.js';
import { openSandbox, type Sandbox } from '../../src/sandbox/open-sandbox.js';
import { AT_ONCE } from '../helpers/at-once.js';
import { freePort } from '../helpers/free-port.js';
import type { Ended, Machine } from './machine.js';
import { fileState, type WorldState } from './state.js';
import type { Asked, DialectState, JobName, Weather, Wish } from './steps.js';

/** Who stands in which line; null is a line that cannot be asked for. */
const LINES = {
  'a.csv': [1, 2, 5],
  'b.csv': [2, null, 3, 31],
  'c.csv': [1, 1, 3],
  'grown.csv': [90, 91, null],
  'many.csv': Array.from({ length: 60 }, (_, i) => 40 + i),
  'drawn.csv': Array.from({ length: 60 }, (_, i) => 200 + i),
} satisfies Record<string, readonly (number | null)[]>;
/** Of drawn.csv, and how many each step adds. */
const FIRST_LINES = 4;
const MORE_LINES = 4;
/** What a person's own columns hold. */
const OWN: Readonly<Record<number, Ask>> = { 3: 'find_phone', 5: 'find_email' };
const ASKS_OF: Readonly<Record<Asked, readonly Ask[]>> = {
  both: ['find_email', 'social_enrichment'],
  contact: ['find_email', 'find_phone'],
  phone: ['find_phone'],
};
type FileName = keyof typeof LINES;
const SOURCES: Readonly<Record<JobName, readonly FileName[]>> = {
  'a.csv': ['a.csv'],
  'b.csv': ['b.csv'],
  'c.csv': ['c.csv'],
  'grown.csv': ['grown.csv'],
  'many.csv': ['many.csv'],
  'drawn.csv': ['drawn.csv'],
  'one.yaml': ['a.csv'],
  'two.yaml': ['b.csv', 'a.csv'],
};
const JOB_FILES: Readonly<Record<string, string>> = {
  'one.yaml': 'fresh-for: 30d\n',
  'two.yaml': 'fresh-for: 1h\n',
};
const FRESH_FOR = { '1ms': 1, '1h': 3_600_000, '30d': 30 * 86_400_000 } as const;

const DIALECT: Readonly<Record<DialectState, object>> = {
  right: {},
  'wrong blocks': { answer: { read: { blocks: ['outcome'] } } },
  'wrong field': { fields: { find_email: { email: 'address', status: 'verdict' } } },
  // Those of an item that is answered at once are its blocks.
  'wrong entries': { answer: { read: { entries: ['results'] }, submit: { blocks: ['outcome'] } } },
};
/** How a platform hands out results: by ticket and webhook, or in the answer to the submission alone. */
export type Kind = 'later' | 'at once';
const KINDS: Readonly<Record<Kind, object>> = {
  later: {},
  'at once': AT_ONCE,
};

const FAULTS: Readonly<Record<Weather, object>> = {
  calm: {},
  lossy: { 'drop-after': 0.2, 'error-after': 0.1, truncated: 0.2 },
  refusing: { 'drop-before': 0.2, 'error-before': 0.2, throttle: 0.1, html: 0.1 },
  empty: { 'empty-first': 0.6 },
  'empty at first read': { 'empty-first-read': 0.6 },
  poor: {},
};

export interface SeenRun {
  readonly run: Run;
  readonly rows: readonly LeadAnswer[];
  readonly tally: RunTally;
}

export interface Entry {
  readonly ticket: string;
  readonly account: number;
  readonly person: number;
  readonly domain: string;
  readonly ask: readonly Ask[];
  readonly at: number;
  readonly price: number;
}

/** A value of a table that is taken as bought. */
export interface Bought {
  readonly person: number;
  readonly ask: Ask;
  readonly at: number;
  readonly line: number;
}

/** Keys of a job without a flag of their own. */
const OF_SET: ReadonlySet<string> = new Set([
  'changes',
  'deadline',
  'keep',
  'list.name',
  'listen',
  'rate',
  'stop-below',
]);

export class World {
  readonly #sandboxes: (Sandbox | undefined)[] = [];
  readonly #read: number[] = [0, 0];
  /** Where the webhooks of each job arrive. */
  readonly #ports = new Map<JobName, number>();
  dialect: DialectState = 'right';
  weather: Weather = 'calm';
  #drawn = FIRST_LINES;

  private constructor(
    readonly machine: Machine,
    readonly kind: Kind,
    readonly folder: string,
    readonly stored: WorldState,
  ) {}

  static async open(machine: Machine, kind: Kind = 'later'): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-model-'));
    const state = (await machine.openState?.()) ?? fileState(join(folder, 'state.db'));
    const world = new World(machine, kind, folder, state);
    try {
      for (const [name, lines] of Object.entries(LINES)) world.write(name, csvOf(name, lines));
      world.#writeDrawn();
      for (const [name, more] of Object.entries(JOB_FILES)) {
        const input = SOURCES[name as JobName].map((file) => `  - ${world.at(file)}`).join('\n');
        world.write(
          name,
          `input:\n${input}\nask: [find_email]\nout: ${world.outOf(name)}\n${more}`,
        );
      }
      world.setDialect('right');
      await world.#open(0);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.stored.close();
    for (const sandbox of this.#sandboxes) await sandbox?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  outOf(job: string): string {
    return this.at(`${job}.out.csv`);
  }

  changesOf(job: string): string {
    return this.at(`${job}.changes.csv`);
  }

  write(name: string, text: string): void {
    writeFileSync(this.at(name), text);
  }

  get state(): string {
    return this.stored.address;
  }

  /** What it holds is as good as what the file had, and another question to the platform. */
  addColumn(): void {
    const [header, ...rows] = csvOf('grown.csv', LINES['grown.csv']).trimEnd().split('\n');
    const added = rows.map((row) => `${row},other${row.length}.com`);
    this.write('grown.csv', [`${header},domain`, ...added, ''].join('\n'));
  }

  addLines(): void {
    this.#drawn = Math.min(this.#drawn + MORE_LINES, LINES['drawn.csv'].length);
    this.#writeDrawn();
  }

  #writeDrawn(): void {
    this.write('drawn.csv', csvOf('drawn.csv', LINES['drawn.csv'].slice(0, this.#drawn)));
  }

  /** The lines that a run would read now. */
  linesNow({ job, limit }: Wish): (number | null)[] {
    const there = job === 'drawn.csv' ? this.#drawn : Number.POSITIVE_INFINITY;
    return linesOf(job, Math.min(there, limit ?? there));
  }

  setDialect(state: DialectState): void {
    this.dialect = state;
    this.write('dialect.yaml', JSON.stringify({ ...KINDS[this.kind], ...DIALECT[state] }));
  }

  async setWeather(weather: Weather): Promise<void> {
    this.weather = weather;
    for (const [account, sandbox] of this.#sandboxes.entries()) {
      if (sandbox !== undefined) await this.#tell(account, sandbox);
    }
  }

  /** The command line of a wish, or of a plan for it. */
  async argsOf(wish: Wish, command?: 'plan'): Promise<string[]> {
    const isFile = wish.job.endsWith('.csv');
    const url = await this.#open(wish.other === true ? 1 : 0);
    const collect = this.kind === 'at once' ? undefined : wish.collect;
    const flags: [string, unknown][] = [
      ['ask', asksOf(wish.ask).join()],
      // What is known of a lead already is not sent.
      ['map', 'email='],
      ['out', isFile ? this.outOf(wish.job) : undefined],
      ['fresh-for', wish.freshFor],
      ['budget', wish.budget],
      ['stop-below', wish.stopBelow],
      ['limit', wish.limit],
      ['sample', wish.sample],
      ['submit', wish.submit],
      ['deadline', wish.deadline],
      ['collect', collect],
      ['listen', collect === undefined ? undefined : await this.#portOf(wish.job)],
      ['keep', wish.keep],
      ['changes', wish.changes === true ? this.changesOf(wish.job) : undefined],
      ['list.name', wish.list === true ? 'chosen' : undefined],
      ['url', url],
      ['state', this.state],
      ['dialect', this.at('dialect.yaml')],
      ['rate', this.machine.limit.rate],
    ];
    const given = flags.filter(([, value]) => value !== undefined);
    return [
      command ?? (isFile ? 'enrich' : 'run'),
      this.at(wish.job),
      ...given.flatMap(([key, value]) =>
        OF_SET.has(key) ? ['--set', `${key}=${String(value)}`] : [`--${key}`, String(value)],
      ),
      ...(isOnlyMissing(wish) ? ['--only-missing'] : []),
      ...(wish.resend === true && command === undefined ? ['--resend-uncertain'] : []),
      '--json',
    ];
  }

  /** Writes what the table of a job has found into one of another tool; returns what is in it. */
  writeBought(job: JobName): Bought[] {
    const lines = linesOf(job);
    const rows = (this.table(this.outOf(job)) ?? []).flatMap((row, i) => {
      const { email = '', enriched_at: date = '', phone = '' } = row;
      const person = lines[i] ?? null;
      const isThere = person !== null && date !== '' && email + phone !== '';
      return isThere ? [{ person, date, values: { find_email: email, find_phone: phone } }] : [];
    });
    const csv = rows.map(({ date, person, values }) =>
      [`Eve${person}`, 'Byron', `firm${person}.com`, ...Object.values(values), date].join(','),
    );
    this.write('bought.csv', ['first,last,domain,Mail,Phone,Bought', ...csv, ''].join('\n'));
    return rows.flatMap(({ date, person, values }, line) =>
      (['find_email', 'find_phone'] as const)
        .filter((ask) => values[ask] !== '')
        .map((ask) => ({ person, ask, at: Date.parse(date), line })),
    );
  }

  async importArgs(account: number): Promise<string[]> {
    const found = { email: 'Mail', phone: 'Phone', enriched_at: 'Bought' };
    const flags = Object.entries(found).map(([name, column]) => `--found=${name}=${column}`);
    const url = await this.#open(account);
    return ['known', 'import', this.at('bought.csv'), ...flags, '--url', url];
  }

  /** Of the invoice that the first account would get now. */
  async auditArgs(): Promise<string[]> {
    const url = await this.#open(0);
    const charges = this.#sandboxes[0]?.invoice(0).charges ?? [];
    const rows = charges.map(({ chargedAt, credits, ticket }) =>
      [ticket, new Date(chargedAt).toISOString(), credits].join(','),
    );
    this.write('invoice.csv', ['ticket,date,credits', ...rows, ''].join('\n'));
    const dialect = this.at('dialect.yaml');
    return ['audit', this.at('invoice.csv'), '--url', url, '--dialect', dialect];
  }

  async run(args: readonly string[]): Promise<Ended> {
    const [ended] = await this.machine.runAll([{ args }]);
    return ended as Ended;
  }

  /** What every ledger has taken on since this was asked last. */
  newEntries(): Entry[] {
    return this.#sandboxes.flatMap((sandbox, account) => {
      const all = sandbox?.ledger.entries({ limit: 100_000 }) ?? [];
      const fresh = all.slice(this.#read[account]);
      this.#read[account] = all.length;
      return fresh.map((entry) => ({
        ticket: entry.id,
        account,
        person: Number(/\d+/.exec(entry.inputs.firstName ?? '')?.[0]),
        domain: entry.inputs.companyDomain ?? '',
        ask: entry.ask,
        at: entry.acceptedAt,
        price: 0,
      }));
    });
  }

  /** Contact lists, and who is in them, of all accounts. */
  get lists(): { readonly lists: number; readonly members: number } {
    const all = this.#sandboxes.flatMap((one) => (one === undefined ? [] : [one.ledger.summary()]));
    const sum = (pick: (one: (typeof all)[number]) => number): number =>
      all.reduce((total, one) => total + pick(one), 0);
    return { lists: sum(({ lists }) => lists), members: sum(({ members }) => members) };
  }

  get requests(): number {
    return this.#sandboxes.reduce((sum, one) => sum + (one?.ledger.summary().requests ?? 0), 0);
  }

  /** Whose it is, by what a run keeps of its account. */
  accountOf(digest: string): number {
    return this.#sandboxes.findIndex((sandbox) => {
      const address = sandbox?.url.replace('127.0.0.1', 'localhost');
      return digestHex(`${address}\nsandbox`) === digest;
    });
  }

  /** Every run with its rows, as an export of each would show them. */
  async look(): Promise<SeenRun[]> {
    const store = await this.stored.open();
    if (store === undefined) return [];
    const seen: SeenRun[] = [];
    for (const run of await store.listRuns(1_000)) {
      // What was taken from a table shows in the runs that ask for it.
      if (run.job === 'import') continue;
      const rows = await store.answers(run.id, { after: 0, limit: 1_000 });
      seen.push({ run, rows, tally: await store.tally(run.id) });
    }
    return seen.toReversed();
  }

  /** The rows of a table as its file has them; undefined where there is none. */
  table(out: string): Record<string, string>[] | undefined {
    if (!existsSync(out)) return undefined;
    return parse(readFileSync(out, 'utf8'), { bom: true, columns: true });
  }

  async #portOf(job: JobName): Promise<number> {
    const port = this.#ports.get(job) ?? (await freePort());
    this.#ports.set(job, port);
    return port;
  }

  async #open(account: number): Promise<string> {
    const open = this.#sandboxes[account];
    if (open !== undefined) return open.url;
    const { latencyMs, limit } = this.machine;
    const now = (): number => this.machine.now();
    const atOnce = this.kind === 'at once';
    const sandbox = await this.machine.openPlatform(() =>
      openSandbox({ now, atOnce, latency: { medianMs: latencyMs, sigma: 0.6 }, ...limit }),
    );
    this.#sandboxes[account] = sandbox;
    await this.#tell(account, sandbox);
    return sandbox.url;
  }

  async #tell(_account: number, { url, ledger }: Sandbox): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const { charged } = ledger.summary();
    const credits = this.weather === 'poor' ? charged + 7 : null;
    const say = async (route: string, method: string, body: object): Promise<void> => {
      const response = await fetch(`${url}/sandbox/${route}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
    };
    await say('faults', 'PUT', FAULTS[this.weather]);
    await say('credits', 'POST', { credits });
  }
}

/** The lines of a job's input, also those that are still to be added. */
export function linesOf(job: JobName, limit = Number.POSITIVE_INFINITY): (number | null)[] {
  return SOURCES[job].flatMap((file): (number | null)[] => LINES[file]).slice(0, limit);
}

export function freshForMsOf({ job, freshFor }: Wish): number {
  return FRESH_FOR[freshFor ?? (job === 'two.yaml' ? '1h' : '30d')];
}

function asksOf(ask: Asked | undefined): readonly Ask[] {
  return ask === undefined ? ['find_email'] : ASKS_OF[ask];
}

function isOnlyMissing({ ask, onlyMissing }: Wish): boolean {
  return onlyMissing === true && ask !== 'both';
}

/** What a run asks for a person: not what that one has, where only the rest is wanted. */
export function wantedOf(wish: Wish, person: number): readonly Ask[] {
  const asks = asksOf(wish.ask);
  return isOnlyMissing(wish) ? asks.filter((one) => one !== OWN[person]) : asks;
}

/** Of c.csv every other line is spelt otherwise, and means the same. */
function csvOf(name: string, lines: readonly (number | null)[]): string {
  const rows = lines.map((person, i) => {
    if (person === null) return ',,firm.com,,';
    const odd = name === 'c.csv' && i % 2 === 1;
    const spelt = odd ? `EVE${person}, byron,https://www.Firm${person}.com/x` : undefined;
    const own = OWN[person];
    const email = own === 'find_email' ? `own${person}@mail.example` : '';
    const phone = own === 'find_phone' ? `+33 6 12 34 56 0${person}` : '';
    return `${spelt ?? `Eve${person},Byron,firm${person}.com`},${email},${phone}`;
  });
  const domain = name === 'grown.csv' ? 'website' : 'domain';
  return [`first_name,last_name,${domain},E-Mail,Handy`, ...rows, ''].join('\n');
}
