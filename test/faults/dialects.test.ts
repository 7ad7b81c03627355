// Each ready-made dialect under fire: every fault of the sandbox at five per cent, and SIGKILL at random moments, until
// the job is done. The ledger must show nothing paid twice, and every lead must have an outcome.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { loadDialect } from '../../src/config/load-dialect.js';
import { bulkForm, singleForm } from '../../src/dialect/forms.js';
import { FAULT_NAMES } from '../../src/sandbox/faults.js';
import type { Ended } from '../helpers/command-line.js';
import { wishOf } from '../helpers/dialect-shop.js';
import { freePort } from '../helpers/free-port.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { hostCommands, openWorkdir, type Row } from '../helpers/workdir.js';
import { endsWell, isOver, told } from './judge.js';
import { limited } from './lane.js';
import { createChance, IS_WHOLE, openSweep, PATIENCE_MS, sized, tick } from './sweep.js';

const READY_MADE = new URL('../../dialects/', import.meta.url);
const LEADS = sized(20, 300);
/** With the company by its name as well: not every platform takes a domain. */
const LEADS_CSV = Array.from({ length: LEADS }, (_, i) => i + 100).reduce(
  (text, n) => `${text}Eve${n},Byron,maker${n}.com,Maker${n}\n`,
  'first_name,last_name,domain,company\n',
);
const KILLS = sized(1, 12);
const FAULTS = FAULT_NAMES.map(
  // Whoever takes an empty first reading for a miss loses what was paid for.
  (name) => `--fault ${name}=${name.startsWith('empty-first') ? 0.3 : 0.05}`,
).join(' ');
const RUNS_MAX = 80;
const ENV = { SLUICE_API_KEY: 'sandbox', SLUICE_WEBHOOK_SECRET: 'an agreed word' };
const IS_AT_WORK = /^(?:Run|Continuing run) \d/m;
const NO_OUTCOME = new Set<unknown>(['', 'awaiting', 'queued']);

interface Way {
  readonly name: string;
  readonly file: string;
  readonly flags: string;
  readonly isByWebhook: boolean;
}

hostCommands();
const folder = tempFolder();

async function waysOf(name: string): Promise<Way[]> {
  const file = join(folder, name);
  const text = readFileSync(new URL(name, READY_MADE), 'utf8');
  // Here no time passes between two reads.
  writeFileSync(file, text.replace(/^ {2}every: .*$/m, '  every: 0s'));
  const dialect = await loadDialect(file);
  const ways: Way[] = [];
  for (const submit of ['single', 'bulk'] as const) {
    const form = submit === 'single' ? singleForm(dialect) : bulkForm(dialect);
    if (form === undefined) continue;
    const ask = wishOf(form);
    const flags = `--submit ${submit} --ask ${ask.join(',')}`;
    const way = { name: `${basename(name, '.yaml')}, ${submit}`, file };
    ways.push({ ...way, flags: `${flags} --collect poll`, isByWebhook: false });
    if (!form.spots.has('webhookUrl')) continue;
    const byWebhook = { flags: `${flags} --collect hybrid --claim-wait 5s`, isByWebhook: true };
    ways.push({ ...way, ...byWebhook, name: `${way.name}, by webhook` });
  }
  return ways;
}

const NAMES = readdirSync(READY_MADE).filter((name) => name.endsWith('.yaml'));
const WAYS = (await Promise.all(NAMES.map(waysOf))).flat();

describe.concurrent('ready-made dialects', () => {
  it.each(WAYS)(
    '$name',
    async ({ file, flags, isByWebhook, name }) => {
      const sweep = openSweep('ready-made dialects', name);
      const chance = createChance(WAYS.findIndex((way) => way.name === name) + 1);
      const sandbox = await startSandboxProcess(
        `--latency 50ms --slow 300ms --webhook-retry 200ms --dialect ${file} ${FAULTS}`,
      );
      const dir = openWorkdir(sandbox.url).write('leads.csv', LEADS_CSV);
      const listen = isByWebhook ? ` --listen ${await freePort()} --deadline 20s` : '';
      const line = `enrich leads.csv --out out.csv --state state.db --rate off --dialect ${file} ${flags}${listen}`;
      const started = async (): Promise<Ended> => {
        const running = limited(dir.start(line, { env: ENV, isService: true }), line);
        if (sweep.processes >= KILLS) return running.ended;
        // From when it begins to work, however long the start of a process takes here.
        const begun = running.says(IS_AT_WORK).then(() => pause(chance() * 600));
        begun.then(() => running.child.kill('SIGKILL')).catch(() => undefined);
        return running.ended;
      };
      let end: Ended | undefined;
      while (!isOver(end) && sweep.processes < RUNS_MAX) {
        end =
          sweep.processes < KILLS || IS_WHOLE
            ? await started()
            : await dir.sluice(line, { env: ENV });
        sweep.processes += 1;
        tick(sweep.exits, String(end.code));
        if (end.signal !== null) tick(sweep.struck, 'moment');
        if (!endsWell(end, new Set([4]))) sweep.broken.push(`ended badly: ${told(end)}`);
      }
      if (!isOver(end)) sweep.broken.push(`not done after ${RUNS_MAX} runs: ${told(end)}`);
      const rows = dir.rows('out.csv');
      sweep.broken.push(...(await findMisread(rows, sandbox)));
      const left = rows.filter((row) => NO_OUTCOME.has(row['sluice_status']));
      if (rows.length !== LEADS || left.length > 0) {
        sweep.broken.push(`${rows.length} rows, ${left.length} of them without an outcome`);
      }
      const { accepted, doubled } = await sandbox.ledger();
      if (accepted === 0) sweep.broken.push('nothing was accepted');
      if (doubled.length > 0) sweep.broken.push(`${doubled.length} were paid for twice`);
      Object.assign(sweep, {
        lives: 1,
        leads: LEADS,
        accepted,
        doubled: doubled.length,
        uncertain: rows.filter((row) => row['sluice_status'] === 'uncertain').length,
      });
      sweep.conclude();
    },
    PATIENCE_MS,
  );
});

/** Rows that say otherwise than the ledger what was found and paid for. */
async function findMisread(rows: readonly Row[], sandbox: SandboxProcess): Promise<string[]> {
  await sandbox.ready();
  const paid = new Map(
    (await sandbox.entries()).map(({ credits, inputs: { companyDomain, companyName } }) => [
      companyDomain ?? `${companyName?.toLowerCase()}.com`,
      credits,
    ]),
  );
  return rows.flatMap(({ domain = '', sluice_status: status, credits, source }) => {
    const price = paid.get(domain) ?? 0;
    // A run that began after another had ended paid for nothing.
    const isBilled = Number(credits) === price || source !== 'api';
    if (((status === 'found') === price > 0 && isBilled) || status === 'uncertain') return [];
    return [`${domain} is ${status} for ${credits} credits, and was charged ${price}`];
  });
}
