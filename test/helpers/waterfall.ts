// A waterfall over three sandboxes that know different people, and its judge: what the platforms themselves say of what
// they were asked, against the table, cell by cell.
import { chmodSync } from 'node:fs';
import type { LedgerEntry } from '../../src/sandbox/ledger/ledger.js';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.js';
import { csv, openWorkdir, type Row, type Workdir } from './workdir.js';

export interface ChainStep {
  readonly name: string;
  readonly ask: readonly string[];
  readonly url: string;
  /** Default: its name. */
  readonly account?: string;
  /** Further lines of the job file. */
  readonly more?: string;
}

const VERIFY = ['verify_email'];
const ASKS = ['find_email', 'find_phone'];

function isVerifying({ ask }: ChainStep): boolean {
  return ask.join() === VERIFY.join();
}

/** The job of a chain, and the credentials of its accounts, which have the names of the steps. */
export function jobOf(steps: readonly ChainStep[], more = ''): string {
  const listed = steps.map((step) => {
    const task = isVerifying(step) ? 'verifies: find_email' : `ask: [${step.ask.join(', ')}]`;
    const keys = [
      `name: ${step.name}`,
      `url: ${step.url}`,
      `account: ${step.account ?? step.name}`,
      'rate: off',
    ];
    return `  - ${[...keys, task, ...(step.more === undefined ? [] : [step.more])].join('\n    ')}`;
  });
  return `input: leads.csv
out: out.csv
state: state.db
ask: [${ASKS.join(', ')}]
${more}waterfall:
${listed.join('\n')}
`;
}

export const RUN = 'run job.yaml --credentials accounts.yaml --quiet';

export function openPlace(steps: readonly ChainStep[], leads: readonly string[]): Workdir {
  const accounts = steps.map(({ name }) => `  ${name}: {username: sandbox, password: sandbox}\n`);
  const dir = openWorkdir(undefined, {})
    .write('accounts.yaml', `accounts:\n${accounts.join('')}`)
    .write('leads.csv', csv(leads))
    .write('job.yaml', jobOf(steps));
  chmodSync(dir.at('accounts.yaml'), 0o600);
  return dir;
}

/** Two finders and a step that verifies, each a sandbox with a seed of its own. */
export async function startThree(
  flags: Partial<Record<'first' | 'second' | 'check', string>> = {},
): Promise<{
  steps: ChainStep[];
  sandboxes: Record<'first' | 'second' | 'check', SandboxProcess>;
}> {
  const first = await startSandboxProcess(`--seed 11 ${flags.first ?? ''}`);
  const second = await startSandboxProcess(`--seed 22 ${flags.second ?? ''}`);
  const check = await startSandboxProcess(`--seed 33 ${flags.check ?? ''}`);
  return {
    sandboxes: { first, second, check },
    steps: [
      { name: 'first', ask: ASKS, url: first.url },
      { name: 'second', ask: ['find_email'], url: second.url },
      { name: 'check', ask: VERIFY, url: check.url },
    ],
  };
}

/** The answer of a platform by its own word. */
interface Told {
  readonly entry: LedgerEntry;
  readonly kind: 'found' | 'not_found' | 'failed';
  readonly email: string | undefined;
  readonly status: string | undefined;
  readonly phone: string | undefined;
}

interface Answered {
  readonly type: string;
  readonly data: readonly {
    readonly data?: {
      readonly find_email?: { readonly email?: string; readonly status?: string };
      readonly find_phone?: { readonly phone?: string };
    };
  }[];
}

const CREDENTIALS = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;

async function tellOf(url: string, entry: LedgerEntry): Promise<Told> {
  const response = await fetch(`${url}/enrich/${entry.id}`, {
    headers: { authorization: CREDENTIALS },
  });
  const { data } = ((await response.json()) as Answered).data[0] ?? {};
  const { email, status } = data?.find_email ?? {};
  const phone = data?.find_phone?.phone;
  const isHit = entry.ask.includes('verify_email')
    ? status !== undefined
    : email !== undefined || phone !== undefined;
  const miss = data === undefined ? 'failed' : 'not_found';
  return { entry, kind: isHit ? 'found' : miss, email, status, phone };
}

/** Everything that the platforms accepted, with their answers. */
export async function readLedgers(steps: readonly ChainStep[]): Promise<Map<string, Told[]>> {
  const told = new Map<string, Told[]>();
  for (const { name, url } of steps) {
    const page = await fetch(`${url}/sandbox/ledger/entries?limit=1000`);
    const { entries } = (await page.json()) as { entries: LedgerEntry[] };
    told.set(name, await Promise.all(entries.map((entry) => tellOf(url, entry))));
  }
  return told;
}

export interface Judged {
  /** Sentences about what does not hold. */
  readonly problems: readonly string[];
  /** Requests that no row needs. */
  readonly unused: readonly LedgerEntry[];
  readonly credits: number;
}

interface Address {
  readonly email: string;
  readonly step: string;
  status: string | undefined;
  verifiedBy: string;
}

/** Holds a table against the ledgers, as the waterfall's rules say; rows that are in doubt, or a part of which is, are left out. */
export async function judgeWaterfall(
  steps: readonly ChainStep[],
  rows: readonly Row[],
  given?: ReadonlyMap<string, readonly Told[]>,
): Promise<Judged> {
  const ledgers = given ?? (await readLedgers(steps));
  const problems: string[] = [];
  const used = new Set<Told>();
  let credits = 0;
  for (const row of rows) {
    const expected = expectedRow(row, steps, (step, asked) => {
      const told = (ledgers.get(step.name) ?? []).find(({ entry }) => asked(entry));
      if (told !== undefined) used.add(told);
      return told;
    });
    credits += Number(row['credits']);
    if (/\buncertain\b/.test(`${row['sluice_status']} ${row['sluice_reason']}`)) continue;
    for (const [column, right] of Object.entries(expected)) {
      if (row[column] === right) continue;
      problems.push(`${row['first_name']}: ${column} is "${row[column]}" instead of "${right}"`);
    }
  }
  const all = [...ledgers.values()].flat();
  const unused = all.filter((told) => !used.has(told)).map(({ entry }) => entry);
  return { problems, unused, credits };
}

type Find = (step: ChainStep, asked: (entry: LedgerEntry) => boolean) => Told | undefined;

function expectedRow(row: Row, steps: readonly ChainStep[], find: Find): Record<string, string> {
  const isAccepted = (one: Address): boolean => (one.status ?? 'deliverable') === 'deliverable';
  const words = row['sluice_tried']?.split(' ') ?? [];
  const isAt = ({ name }: ChainStep, word: string): boolean => words.includes(`${name}:${word}`);
  // It went on, as the step after it says.
  const passesUnknown = (step: ChainStep): string | undefined => {
    const word = ['uncertain', 'timed_out'].find((one) => isAt(step, one));
    const hasPassed = word !== undefined && words.at(-1) !== `${step.name}:${word}`;
    return hasPassed ? word : undefined;
  };
  const toldOf = (step: ChainStep, asks: readonly string[]) =>
    mergeTold(
      asks.flatMap((one) => {
        const isAsked = ({ ask, inputs }: LedgerEntry) =>
          inputs.firstName === row['first_name'] && ask.some((other) => other === one);
        return find(step, isAsked) ?? [];
      }),
    );
  let left: string | undefined;
  const addresses: Address[] = [];
  let phone: { readonly value: string; readonly from: string } | undefined;
  const tried: string[] = [];
  const kinds: string[] = [];
  for (const step of steps) {
    if (isAt(step, 'unavailable')) {
      left ??= 'failed';
      tried.push(`${step.name}:unavailable`);
      const told = find(step, ({ inputs }) => inputs.firstName === row['first_name']);
      if (told !== undefined) tried.push(`${step.name}:asked all the same`);
      continue;
    }
    const unknown = passesUnknown(step);
    if (unknown !== undefined) {
      left = unknown;
      tried.push(`${step.name}:${unknown}`);
      const told = toldOf(step, step.ask);
      // A part of it may have an answer all the same, and this is what the row then shows.
      if (row['email_from'] === step.name && told?.email !== undefined) {
        const { email, status } = told;
        addresses.push({ email, step: step.name, status, verifiedBy: '' });
      }
      if (row['phone_from'] === step.name && told?.phone !== undefined) {
        phone = { value: told.phone, from: step.name };
      }
      continue;
    }
    if (isVerifying(step)) {
      const best = bestOf(addresses, isAccepted);
      if (best === undefined || isAccepted(best) || best.verifiedBy !== '') continue;
      const told = find(step, ({ inputs }) => inputs.email === best.email.toLowerCase());
      if (isAt(step, 'uncertain')) break;
      const { status } = told ?? {};
      for (const one of addresses) {
        if (one.email !== best.email || status === undefined) continue;
        Object.assign(one, { status, verifiedBy: step.name });
      }
      const word = status === 'undeliverable' ? 'rejected' : status;
      tried.push(`${step.name}:${isAccepted(best) ? 'accepted' : (word ?? told?.kind ?? 'never')}`);
      kinds.push(told?.kind ?? 'never');
      continue;
    }
    const open = step.ask.filter((ask) =>
      ask === 'find_phone' ? phone === undefined : !addresses.some(isAccepted),
    );
    if (open.length === 0) continue;
    const told = toldOf(step, open);
    // Nobody may be asked for them after it.
    if (isAt(step, 'uncertain')) break;
    kinds.push(told?.kind ?? 'never');
    const { email, status } = told ?? {};
    const isAddress = open.includes('find_email') && email !== undefined;
    if (isAddress) addresses.push({ email, step: step.name, status, verifiedBy: '' });
    if (open.includes('find_phone') && told?.phone !== undefined) {
      phone = { value: told.phone, from: step.name };
    }
    const isHeld = isAddress && status !== undefined && status !== 'deliverable';
    const isFound = isAddress || phone?.from === step.name;
    const kind = told?.kind === 'found' && !isFound ? 'not_found' : told?.kind;
    tried.push(`${step.name}:${isHeld ? status : (kind ?? 'never')}`);
  }
  const best = bestOf(addresses, isAccepted);
  const isAnything = best !== undefined || phone !== undefined;
  const miss = kinds.every((kind) => kind === 'failed') ? 'failed' : 'not_found';
  return {
    sluice_status: isAnything ? 'found' : (left ?? miss),
    email: best?.email ?? '',
    email_status: best?.status ?? '',
    email_from: best?.step ?? '',
    email_verified_by: best?.verifiedBy ?? '',
    phone: phone?.value ?? '',
    phone_from: phone?.from ?? '',
    sluice_tried: tried.join(' '),
  };
}

/** The answers to asks that may have been sent one by one, as one. */
function mergeTold(parts: readonly Told[]): Omit<Told, 'entry'> | undefined {
  const kinds = parts.map(({ kind }) => kind);
  const kind = (['found', 'failed', 'not_found'] as const).find((one) => kinds.includes(one));
  if (kind === undefined) return undefined;
  const { email, status } = parts.find((one) => one.email !== undefined) ?? {};
  return { kind, email, status, phone: parts.find((one) => one.phone !== undefined)?.phone };
}

const RANKS = ['risky', 'unknown'];

/** The address that a row shows: an accepted one, else the best that no step has rejected. */
function bestOf(
  addresses: readonly Address[],
  isAccepted: (one: Address) => boolean,
): Address | undefined {
  const accepted = addresses.find(isAccepted);
  const ranked = RANKS.map((rank) => addresses.find(({ status }) => status === rank));
  return accepted ?? ranked.find((one) => one !== undefined);
}
