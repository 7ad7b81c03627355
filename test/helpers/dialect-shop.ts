// A sandbox that speaks a dialect, and jobs in that dialect that it judges.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { canAsk, type Form } from '../../src/dialect/forms.js';
import type { Ask } from '../../src/model/ask.js';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.js';
import { openWorkdir, type Row, type Workdir } from './workdir.js';

export const COUNT = 24;
/** What a run may say of itself: that leads failed, as some do. */
export const FAILED_ONLY =
  /^(sluice: Run \d+ of leads\.csv: \d+ of 24 leads got no answer \(\d+ failed\)\. "sluice status \d+ --state state\.db" says why\.\n)?$/;
/** So that in the sandbox two of them fail, and nothing is found of one. */
const FROM = 50;
const UNMAPPED = 'enrich leads.csv --out out.csv --state state.db --quiet --positions json'.split(
  ' ',
);
/** Addresses are sent although they are asked for, so that each dialect shows where it has them. */
export const JOB = [...UNMAPPED, '--map', 'email=mail'];
export const OFF = ['--rate', 'off'];
const ENV = { SLUICE_API_KEY: 'sandbox', SLUICE_WEBHOOK_SECRET: 'an agreed word' };

const COLUMNS = ['mail', 'profile_url', 'first_name', 'last_name', 'domain', 'company'];

/** A CSV file of the leads, with some of the columns. */
export function leads(columns: readonly string[] = COLUMNS): string {
  const lines = Array.from({ length: COUNT }, (_, i) => {
    const n = FROM + i;
    const person = [`eve${n}@firm${n}.com`, `https://social.example/in/eve-${n}`, `Eve${n}`];
    const cells = [...person, 'Byron', `firm${n}.com`, `Firm ${n}`];
    return cells.filter((_cell, k) => columns.includes(COLUMNS[k] ?? '')).join(',');
  });
  return [COLUMNS.filter((one) => columns.includes(one)).join(','), ...lines, ''].join('\n');
}

/** The first of these that a dialect can ask in one request is what its jobs ask, else the first ask of its own. */
const WISHES: readonly (readonly Ask[])[] = [
  ['find_email', 'social_enrichment', 'find_phone'],
  ['find_email', 'find_phone'],
  ['find_email', 'social_enrichment'],
  ['find_email'],
  ['find_phone'],
];

export function wishOf(form: Form | undefined): readonly Ask[] {
  const all = [...WISHES, ...(form?.asks ?? []).map((ask) => [ask])];
  const wish = all.find((ask) => form !== undefined && canAsk(form, ask));
  if (wish === undefined) throw new Error('nothing of what is wished can be asked');
  return wish;
}

export interface Shop {
  readonly sandbox: SandboxProcess;
  readonly dir: Workdir;
  /** `sluice enrich` in the dialect; it may say of leads that they failed, and nothing else. */
  readonly enrich: (...flags: readonly string[]) => Promise<void>;
}

/** `file` undefined: the neutral dialect; `rate` null: the limit of the dialect. */
export async function openShop(
  file: string | undefined,
  rate: string | null = 'off',
  flags = '--latency 100ms',
): Promise<Shop> {
  const speaks = file === undefined ? [] : ['--dialect', file];
  const sandbox = await startSandboxProcess([flags, ...speaks].join(' '), rate);
  const dir = openWorkdir(sandbox.url).write('leads.csv', leads());
  return {
    sandbox,
    dir,
    enrich: async (...more) => {
      const hasMail = readFileSync(dir.at('leads.csv'), 'utf8').startsWith('mail,');
      const job = hasMail ? JOB : UNMAPPED;
      const ended = await dir.sluice([...job, ...speaks, ...more], { env: ENV });
      expect(ended.stdout).toBe('');
      expect(ended.stderr).toMatch(FAILED_ONLY);
    },
  };
}

/** The cells but for those that differ from run to run, for the price, and for the platform's own words. */
export function tableOf(dir: Workdir): Row[] {
  return dir.rows('out.csv').map((row) => {
    const { enriched_at: _at, enrichment_id: _id, credits: _credits, ...cells } = row;
    const { platform_email_status: _word, ...known } = cells;
    return known;
  });
}

/** The table of the same job on the neutral platform. */
export async function neutralTable(
  asks: readonly string[],
  columns?: readonly string[],
): Promise<readonly Row[]> {
  const { dir, enrich } = await openShop(undefined);
  dir.write('leads.csv', leads(columns));
  await enrich(...asks, ...OFF);
  return tableOf(dir);
}
