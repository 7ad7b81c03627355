// One mode's place to live in: a sandbox for all its lives, and, where results come by webhook, a
// `sluice listen` beside them, so that deliveries are kept while a run is dead.
import { rmSync } from 'node:fs';
import type { LedgerEntry } from '../../src/sandbox/ledger/ledger.js';
import { AT_ONCE } from '../helpers/at-once.js';
import type { Ended, Running } from '../helpers/command-line.js';
import { freePort } from '../helpers/free-port.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, hostCommands, openWorkdir, type Workdir } from '../helpers/workdir.js';
import { ASK, lifeOf, linesOf } from './cast.js';
import type { Mode } from './modes.js';
import { IS_WHOLE, sized } from './sweep.js';

/** Sends at the same time; more cannot be under way when a process dies. */
export const CONCURRENCY = 3;
/** Lives that share a state file where a listener holds it. */
const LIVES_PER_STATE = 50;
/** No command of these sweeps needs so long; one that does hangs. */
const HANGS_MS = sized(COMMAND_MS, 480_000);
const LISTENING = 'Ctrl+C stops it';

export interface Scene {
  readonly life: number;
  readonly dir: Workdir;
  readonly out: string;
  readonly state: string;
  /** Starts the run, or continues it; `env` may disturb it. */
  start(env?: Readonly<Record<string, string>>, isUnbundled?: boolean): Running;
  /** Continues the run to its end. The short version does so in a process that stays: test/helpers/command-host.ts. */
  continue(): Promise<Ended>;
  /** Runs another command on its state file. */
  sluice(args: string): Promise<Ended>;
  /** Everything that is over and known is removed. */
  clear(): void;
}

export interface Lane {
  readonly mode: Mode;
  readonly sandbox: SandboxProcess;
  scene(life: number): Promise<Scene>;
  /** What the sandbox accepted of the people of this life. */
  acceptedOf(life: number): Promise<LedgerEntry[]>;
  close(): Promise<void>;
}

export async function openLane(mode: Mode, sandboxFlags = '--latency 20ms'): Promise<Lane> {
  hostCommands();
  const dialect = mode.isAtOnce === true ? ` --dialect ${atOnceFile()}` : '';
  const sandbox = await startSandboxProcess(sandboxFlags + dialect);
  const readNew = createEntryReader(sandbox);
  const byLife = new Map<number, LedgerEntry[]>();
  let shared:
    | { readonly dir: Workdir; readonly port: number; readonly listener: Running }
    | undefined;
  let livesInState = 0;

  const endShared = async (): Promise<void> => {
    if (shared === undefined) return;
    shared.listener.child.kill('SIGTERM');
    await shared.listener.ended;
    rmSync(shared.dir.path, { recursive: true, force: true });
    shared = undefined;
  };

  const share = async () => {
    if (shared !== undefined && livesInState < LIVES_PER_STATE) {
      livesInState += 1;
      return shared;
    }
    await endShared();
    const dir = openWorkdir(sandbox.url);
    const port = await freePort();
    const listener = dir.start(`listen --listen ${port} --state state.db`, { isService: true });
    await listener.says(LISTENING);
    livesInState = 1;
    shared = { dir, port, listener };
    return shared;
  };

  return {
    mode,
    sandbox,
    scene: async (life) => {
      const { dir, port } =
        mode.collect === 'poll' ? { dir: openWorkdir(sandbox.url), port: 0 } : await share();
      const webhook = `--collect webhook --listen ${port} --claim-wait 8s`;
      const collect = mode.collect === 'poll' ? '--collect poll' : webhook;
      const out = `out${life}.csv`;
      const input = `life${life}.csv`;
      const args = `enrich ${input} --out ${out} ${ASK} --rate off --state state.db --concurrency ${CONCURRENCY} --submit ${mode.submit} ${collect}${dialect}`;
      dir.write(input, csv(linesOf(life)));
      const start = (env: Readonly<Record<string, string>> = {}, isUnbundled = false): Running =>
        limited(dir.start(args, { env, isUnbundled, isService: true }), args);
      return {
        life,
        dir,
        out,
        state: 'state.db',
        start,
        continue: () => (IS_WHOLE ? start().ended : dir.sluice(args)),
        sluice: (line) =>
          IS_WHOLE ? limited(dir.start(line, { isService: true }), line).ended : dir.sluice(line),
        clear: () => {
          if (mode.collect === 'poll') rmSync(dir.path, { recursive: true, force: true });
          else for (const name of [input, out]) rmSync(dir.at(name), { force: true });
        },
      };
    },
    acceptedOf: async (life) => {
      for (const entry of await readNew()) {
        const whose = lifeOf(entry.inputs.firstName);
        byLife.set(whose, [...(byLife.get(whose) ?? []), entry]);
      }
      return byLife.get(life) ?? [];
    },
    close: endShared,
  };
}

function atOnceFile(): string {
  return openWorkdir().write('at-once.yaml', JSON.stringify(AT_ONCE)).at('at-once.yaml');
}

/** A command that never ends is ended, and said to be hanging. */
export function limited(running: Running, args: string, afterMs = HANGS_MS): Running {
  const { child, ended } = running;
  let isHanging = false;
  const timer = setTimeout(() => {
    isHanging = true;
    child.kill('SIGKILL');
  }, afterMs);
  const limitedEnd = async (): Promise<Ended> => {
    const end = await ended;
    clearTimeout(timer);
    if (isHanging) throw new Error(`hangs: sluice ${args}\n${end.stdout}\n${end.stderr}`);
    return end;
  };
  return { ...running, ended: limitedEnd() };
}

/** Reads what the ledger has accepted since the last time; one reading after the other. */
export function createEntryReader(sandbox: SandboxProcess): () => Promise<LedgerEntry[]> {
  let after = '';
  let reading: Promise<unknown> = Promise.resolve();
  const read = async (): Promise<LedgerEntry[]> => {
    const query = after === '' ? '' : `&after=${after}`;
    const url = `${sandbox.url}/sandbox/ledger/entries?limit=1000${query}`;
    const { entries } = (await (await fetch(url)).json()) as { entries: LedgerEntry[] };
    after = entries.at(-1)?.id ?? after;
    return entries.length === 0 ? [] : [...entries, ...(await read())];
  };
  return () => {
    const next = reading.then(read);
    reading = next.catch(() => undefined);
    return next;
  };
}
