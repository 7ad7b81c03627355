// `sluice sandbox` in a process that is not the test's: what it accepted and charged outlives whoever asked it. The
// sandboxes of a test file share that process, and end with the file.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { LedgerEntry, LedgerSummary } from '../../src/sandbox/ledger/ledger.js';
import { askHost, startHost } from './command-host.js';
import { atFileEnd } from './file-end.js';
import { COMMAND_MS } from './patience.js';

/** It looks less often while nothing happens: each look takes the processor from the command that it waits for. */
const LOOK_MS_MIN = 5;
const LOOK_MS_MAX = 50;
const LOOK_FACTOR = 1.3;

let host: ChildProcess | undefined;
let starting: Promise<unknown> = Promise.resolve();
atFileEnd(() => void host?.send('close'));

export interface SandboxProcess {
  readonly url: string;
  ledger(): Promise<LedgerSummary>;
  /** What it accepted, in order. */
  entries(): Promise<LedgerEntry[]>;
  /** Resolves once it has every answer of what it accepted. */
  ready(): Promise<void>;
  /** Sets what its account has bought in all; null is no limit. */
  giveCredits(credits: number | null): Promise<void>;
  /**
   * Resolves once the ledger has come so far, or the command that fills it has ended.
   * @throws Error where neither happens for as long as a command may take
   */
  until(
    hasCome: (ledger: LedgerSummary) => boolean,
    run: { readonly ended: Promise<unknown> },
  ): Promise<void>;
}

/** Starts it on a free port, without a limit and quick unless the flags say otherwise; null is its dialect's own limit. */
export async function startSandboxProcess(
  flags = '',
  rate: string | null = 'off',
): Promise<SandboxProcess> {
  const limit = rate === null ? '' : `--rate ${rate} `;
  const latency = flags.includes('--latency') ? '' : '--latency 20ms ';
  const port = flags.includes('--port') ? '' : '--port 0 ';
  const args = `sandbox ${port}${limit}${latency}${flags}`.trimEnd().split(' ');
  host ??= startHost('sandbox-host.mjs');
  const asked = host;
  const start = starting.then(() => askHost<string>(asked, args, args));
  starting = start.catch(() => undefined);
  const said = await start;
  const url = /http:\/\/\S+/.exec(said)?.[0] ?? '';
  const ledger = () => read<LedgerSummary>(`${url}/sandbox/ledger`);
  const entries = async () =>
    (await read<{ entries: LedgerEntry[] }>(`${url}/sandbox/ledger/entries?limit=1000`)).entries;
  return {
    url,
    ledger,
    entries,
    ready: async () => {
      const readyAt = Math.max(0, ...(await entries()).map((entry) => entry.readyAt));
      while (Date.now() < readyAt) await pause(Math.max(LOOK_MS_MIN, readyAt - Date.now()));
    },
    giveCredits: async (credits) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ credits });
      const { ok } = await fetch(`${url}/sandbox/credits`, { method: 'POST', headers, body });
      if (!ok) throw new Error(`The sandbox at ${url} takes no ${body}`);
    },
    until: async (hasCome, run) => {
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      run.ended.then(end, end);
      const untilMs = performance.now() + COMMAND_MS;
      let before = '';
      let lookMs = LOOK_MS_MIN;
      while (!isOver) {
        const seen = await ledger();
        if (hasCome(seen)) return;
        if (performance.now() > untilMs) {
          throw new Error(`It never came to that: ${JSON.stringify(seen)}`);
        }
        const now = JSON.stringify(seen);
        lookMs = now === before ? Math.min(LOOK_FACTOR * lookMs, LOOK_MS_MAX) : LOOK_MS_MIN;
        before = now;
        await pause(lookMs);
      }
    },
  };
}

async function read<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}
