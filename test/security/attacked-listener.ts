// A listener as a process of its own, over a state file with leads that wait for their answers; an attacker as
// another process; and between them genuine deliveries, each over a connection of its own, which are judged.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { onTestFinished, vi } from 'vitest';
import { openKeyring } from '../../src/app/state/state-file.js';
import { describeJob, readEnvironment, readRows, replayJob } from '../../src/index.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { startServer } from '../helpers/counting-server.js';
import { freePort } from '../helpers/free-port.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { deliveryBodies } from '../helpers/state.js';
import { CREDENTIALS, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';
import {
  type AttackName,
  COUNTED,
  type Counts,
  type Orders,
  resultOf,
  type Seen,
  STOP,
  type Target,
  type Told,
} from './listener-attacks.js';

const SECRET = 'correct horse';
const ENV = { SLUICE_WEBHOOK_SECRET: SECRET };
/** Leads that have their answer before the attack. */
const SETTLED = 5;
/** The next one is the one whose key the attacker has; the others get a genuine delivery each, while it lasts. */
const GENUINE = SETTLED + 1;
const FLAGS = '--ask find_email --set rate=off --state state.db --collect webhook --submit single';

interface Lead {
  readonly ticket: string;
  readonly callbackUrl: string;
}

export interface Plan {
  readonly seconds: number;
  /** Between two genuine deliveries. */
  readonly everyMs: number;
  /** After which a platform gives a delivery up. */
  readonly patienceMs: number;
  readonly counts: Counts;
}

/** Times in ms, null for those of lost deliveries; sizes in bytes. */
export interface Outcome {
  readonly sent: number;
  /** Genuine deliveries whose first attempt was not answered with 200. */
  readonly lost: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly max: number | null;
  /** Of the listener's process; null where there is no /proc. */
  readonly peakMemory: number | null;
  readonly stateBefore: number;
  readonly stateAfter: number;
  /** How long a replay took to settle what had come; null where it did not end. */
  readonly settleMs: number | null;
  /** What the attacker was answered. */
  readonly seen: Seen;
  /** What did not hold, as sentences. */
  readonly broken: readonly string[];
}

export type Prepared = Awaited<ReturnType<typeof prepareState>>;

/** What every attack starts from: a run with so many leads, some of them settled, the others awaiting. */
export async function prepareState(leads: number) {
  const taken = new Map<number, Lead>();
  const server = await startServer((asked, response) => {
    const url = new URL(asked.url ?? '', 'http://platform');
    if (asked.method !== 'POST') {
      const isRead = url.pathname.startsWith('/enrich/');
      response.writeHead(isRead ? 202 : 200).end('{"schema":{},"properties":[]}');
      return;
    }
    // Requests come in any order: the name of a person tells which lead it is.
    const index = Number(/\d+/.exec(url.searchParams.get('firstName') ?? '')?.[0]) - 1;
    const ticket = `enr_${index}`;
    taken.set(index, { ticket, callbackUrl: url.searchParams.get('webhookUrl') ?? '' });
    response.end(JSON.stringify({ id: ticket }));
    if (index < SETTLED) void deliver(taken.get(index) as Lead, emailOf(index), COMMAND_MS);
  });
  const dir = openWorkdir(server.url);
  dir.write('leads.csv', csv(people(leads)));
  const run = dir.start(
    `enrich leads.csv --out out.csv --set listen=${await freePort()} ${FLAGS}`,
    {
      env: ENV,
    },
  );
  await vi.waitFor(() => {
    if (taken.size < leads) throw new Error(`${taken.size} of ${leads} leads are asked for.`);
  }, COMMAND_MS);
  run.child.kill('SIGINT');
  await run.ended;
  await dir.sluice(`replay leads.csv --out out.csv ${FLAGS}`, { env: ENV });

  const all = Array.from({ length: leads }, (_, index) => taken.get(index) as Lead);
  const store = openSqliteStore(dir.at('state.db'));
  const keyring = await openKeyring(store, SECRET);
  await store.close();
  const known = all[SETTLED]?.callbackUrl ?? '';
  const key = keyring.open(keyOf(known));
  if (key === undefined) throw new Error(`There is no key in ${known}.`);
  const target: Omit<Target, 'port'> = {
    secret: SECRET,
    keys: {
      enrichment: keyOf(known),
      batch: keyring.seal({ ...key, kind: 'batch' }),
      hook: keyring.seal({ kind: 'hook', scope: key.scope, id: 0 }),
    },
    otherTickets: all.filter((_, i) => i !== SETTLED).map(({ ticket }) => ticket),
  };
  const attackers = dir.at('attackers.mjs');
  await build({
    input: fileURLToPath(new URL('listener-attacks.ts', import.meta.url)),
    platform: 'node',
    output: { file: attackers },
    logLevel: 'silent',
  });
  return { url: server.url, dir, leads: all, target, attackers };
}

/** One attack, from the start of a listener to the replay after it. */
export async function measureAttack(
  prepared: Prepared,
  attack: AttackName,
  plan: Plan,
): Promise<Outcome> {
  const dir = openWorkdir(prepared.url);
  onTestFinished(() => rmSync(dir.path, { recursive: true, force: true }));
  cpSync(prepared.dir.path, dir.path, { recursive: true });
  const stateBefore = stateBytes(dir);
  const port = await freePort();
  const listener = dir.start(`listen --listen ${port} --state state.db`, {
    isService: true,
    env: ENV,
  });
  await listener.says('Ctrl+C stops it');
  const orders = { attack, target: { ...prepared.target, port }, counts: plan.counts };
  const attacker = await startAttacker(prepared.attackers, orders);
  const deliveries = await deliverMeanwhile(prepared, port, plan, attacker.done);
  const peakMemory = peakOf(listener.child.pid);
  const seen = await attacker.stop();
  const broken: string[] = [];
  const { exitCode, signalCode } = listener.child;
  if (exitCode !== null || signalCode !== null) broken.push('The listener has ended.');
  else listener.child.kill('SIGTERM');
  const { code, stderr } = await listener.ended;
  if (code !== 0) broken.push(`The listener ended with ${code}: ${stderr.slice(-500)}`);
  const stateAfter = stateBytes(dir);

  const lost = deliveries.filter(({ status }) => status !== 200);
  if (lost.length > 0) {
    const ways = [...new Set(lost.map(({ status }) => status))].join(', ');
    broken.push(`${lost.length} of ${deliveries.length} genuine deliveries were lost: ${ways}.`);
  }
  broken.push(...(await judgeJournal(dir, deliveries)));
  const { settleMs, wrong } = await settle(prepared, dir, deliveries);
  // What was lost took longer than anything else.
  const waits = deliveries
    .map(({ status, ms }) => (status === 200 ? ms : null))
    .toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity));
  const at = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? null;
  return {
    sent: deliveries.length,
    lost: lost.length,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    peakMemory,
    stateBefore,
    stateAfter,
    settleMs,
    seen,
    broken: [...broken, ...wrong],
  };
}

async function startAttacker(path: string, orders: Orders) {
  const child = fork(path, [JSON.stringify(orders)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: Told[] = [];
  child.on('message', (what: Told) => told.push(what));
  const until = async (isIt: (what: Told) => boolean): Promise<Told> => {
    for (;;) {
      const found = told.find(isIt);
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`The attacker ended with ${child.exitCode}.`);
      await Promise.race([once(child, 'message'), once(child, 'exit')]);
    }
  };
  await until((what) => what === 'begun');
  return {
    done: COUNTED.includes(orders.attack)
      ? until((what) => what === 'done').then(() => undefined)
      : Promise.resolve(),
    stop: async (): Promise<Seen> => {
      child.send(STOP);
      const what = await until((one) => typeof one === 'object');
      child.kill('SIGKILL');
      return typeof what === 'object' ? what.seen : {};
    },
  };
}

interface Delivered {
  /** Of the lead. */
  readonly index: number;
  readonly status: number | string;
  readonly ms: number;
}

/** One after the other at a certain pace, whether or not those before have their answer. */
async function deliverMeanwhile(
  { leads }: Prepared,
  port: number,
  { seconds, everyMs, patienceMs }: Plan,
  done: Promise<void>,
): Promise<Delivered[]> {
  const startedAt = performance.now();
  const sent: Promise<Delivered>[] = [];
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  for (let index = GENUINE; index < leads.length; index += 1) {
    if (isDone && performance.now() - startedAt >= seconds * 1000) break;
    const { ticket, callbackUrl } = leads[index] as Lead;
    const there = { ticket, callbackUrl: callbackUrl.replace(/:\d+\//, `:${port}/`) };
    sent.push(deliver(there, emailOf(index), patienceMs).then((answer) => ({ index, ...answer })));
    await pause(Math.max(0, startedAt + sent.length * everyMs - performance.now()));
  }
  await ended;
  return Promise.all(sent);
}

/** Over a new connection, once: by its status, or by what broke. */
function deliver({ ticket, callbackUrl }: Lead, email: string, patienceMs: number) {
  const startedAt = performance.now();
  const body = JSON.stringify(resultOf(ticket, email));
  return new Promise<{ status: number | string; ms: number }>((resolve) => {
    const end = (status: number | string) =>
      resolve({ status, ms: Math.round((performance.now() - startedAt) * 10) / 10 });
    const sent = request(callbackUrl, {
      agent: false,
      method: 'POST',
      headers: { 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(patienceMs),
    });
    sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    sent.on('response', (response) => {
      response.on('error', () => end('broken off'));
      response.resume().on('end', () => end(response.statusCode ?? 0));
    });
    sent.end(body);
  });
}

/** What was answered with 200 is in the journal once; what was not, once at most. */
async function judgeJournal(dir: Workdir, deliveries: readonly Delivered[]): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const body of await deliveryBodies(dir.at('state.db'), 1_000)) {
    const [email = ''] = /genuine-\d+@/.exec(body) ?? [];
    counts.set(email, (counts.get(email) ?? 0) + 1);
  }
  return deliveries.flatMap(({ index, status }) => {
    const count = counts.get(/.*@/.exec(emailOf(index))?.[0] ?? '') ?? 0;
    const isRight = status === 200 ? count === 1 : count <= 1;
    return isRight ? [] : [`The delivery for lead ${index} (${status}) was kept ${count} times.`];
  });
}

/** After a replay genuine answers count, leads that were settled are what they were, and no other one is answered. */
async function settle({ url }: Prepared, dir: Workdir, deliveries: readonly Delivered[]) {
  const startedAt = performance.now();
  const store = openSqliteStore(dir.at('state.db'));
  try {
    const job = { input: [dir.at('leads.csv')], out: dir.at('out.csv'), url };
    const settings = describeJob('attacked', { ...job, ask: ['find_email'] });
    await replayJob(store, settings, { environment: readEnvironment({ ...CREDENTIALS, ...ENV }) });
    const settleMs = Math.round(performance.now() - startedAt);
    const answered = new Set(
      deliveries.filter(({ status }) => status === 200).map(({ index }) => index),
    );
    const wrong: string[] = [];
    let index = -1;
    for await (const { email, sluice_status: status } of readRows(store, 1)) {
      index += 1;
      // Who has the key of a lead may answer for it.
      if (index === SETTLED) continue;
      const isFound = status === 'found' && email === emailOf(index);
      const isRight = index < SETTLED || answered.has(index) ? isFound : isFound || email === null;
      if (!isRight) wrong.push(`Lead ${index} is ${JSON.stringify([status, email])}.`);
    }
    return { settleMs, wrong };
  } catch (error) {
    return { settleMs: null, wrong: [`The replay after it: ${String(error).slice(0, 300)}`] };
  } finally {
    await store.close();
  }
}

function emailOf(index: number): string {
  return `genuine-${index}@example.com`;
}

function keyOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Of the state file and what stands beside it. */
function stateBytes(dir: Workdir): number {
  const names = dir.files().filter((name) => name.startsWith('state.db'));
  return names.reduce((total, name) => total + statSync(join(dir.path, name)).size, 0);
}

function peakOf(pid: number | undefined): number | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(path, 'utf8')) ?? [];
  return kib === undefined ? null : Number(kib) * 1024;
}
