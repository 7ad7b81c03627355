// One mode's place to live in: a sandbox for all its lives, and, where results come by webhook, a
// `sluice listen` beside them, so that deliveries are kept while a run is dead.
import { existsSync, rmSync } from 'node:fs';
import type { LedgerEntry } from '../../src/sandbox/ledger/ledger.js';
import { AT_ONCE } from '../helpers/at-once.js';
import type { Ended, Running } from '../helpers/command-line.js';
import { freePort } from '../helpers/free-port.js';
import { miscounts } from '../helpers/miscounts.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { newState } from '../helpers/postgres.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, type Workdir } from '../helpers/workdir.js';
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
  /** As for `--state`. */
  readonly state: string;
  /** What is not right in the state itself, at any moment and at the end, as sentences. */
  readonly check: StateCheck;
  /** Starts the run, or continues it; `env` may disturb it. */
  start(env?: Readonly<Record<string, string>>, isUnbundled?: boolean): Running;
  /** Continues the run to its end. The short version does so in a process that stays: test/helpers/command-host.ts. */
  continue(): Promise<Ended>;
  /** Runs another command on its state file. */
  sluice(args: string): Promise<Ended>;
  /** Everything that is over and known is removed. */
  clear(): Promise<void>;
}

interface StateCheck {
  miscounts(): string[];
}

interface Place {
  readonly dir: Workdir;
  readonly state: string;
  readonly check: StateCheck;
  end(): Promise<void>;
}

/** A folder to run in, and a state. */
async function openPlace(url: string, mode: Mode, options: LaneOptions): Promise<Place> {
  const { server, through = (address) => address } = options;
  const dir = openWorkdir(url);
  const remove = (): void => rmSync(dir.path, { recursive: true, force: true });
  if (mode.isDatabase === true) {
    const state = await newState(server);
    return {
      dir,
      state: through(state.address),
      check: { miscounts: () => [] },
      end: async () => {
        await state.drop();
        remove();
      },
    };
  }
  const path = dir.at('state.db');
  const countWrong = (): string[] =>
    existsSync(path) ? miscounts(path).map((one) => `counts ${JSON.stringify(one)}`) : [];
  return {
    dir,
    state: 'state.db',
    check: { miscounts: countWrong },
    end: async () => remove(),
  };
}

export interface Lane {
  readonly mode: Mode;
  readonly sandbox: SandboxProcess;
  scene(life: number): Promise<Scene>;
  /** What the sandbox accepted of the people of this life. */
  acceptedOf(life: number): Promise<LedgerEntry[]>;
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly sandboxFlags?: string;
  /** The server of states in a database. */
  readonly server?: string;
  /** Where the lives find such a state, if something stands between. */
  readonly through?: (address: string) => string;
}

export async function openLane(mode: Mode, options: LaneOptions = {}): Promise<Lane> {
  const { sandboxFlags = '--latency 20ms' } = options;
  const dialect = mode.isAtOnce === true ? ` --dialect ${atOnceFile()}` : '';
  const atOnce = mode.isAtOnce === true ? ' --at-once' : '';
  const sandbox = await startSandboxProcess(sandboxFlags + atOnce);
  const readNew = createEntryReader(sandbox);
  const byLife = new Map<number, LedgerEntry[]>();
  let shared: (Place & { readonly port: number; readonly listener: Running }) | undefined;
  let livesInState = 0;

  const endShared = async (): Promise<void> => {
    if (shared === undefined) return;
    shared.listener.child.kill('SIGTERM');
    await shared.listener.ended;
    await shared.end();
    shared = undefined;
  };

  const share = async () => {
    if (shared !== undefined && livesInState < LIVES_PER_STATE) {
      livesInState += 1;
      return shared;
    }
    await endShared();
    const place = await openPlace(sandbox.url, mode, options);
    const port = await freePort();
    const { dir, state } = place;
    const listener = dir.start(`listen --listen ${port} --state ${state}`, { isService: true });
    await listener.says(LISTENING);
    livesInState = 1;
    shared = { ...place, port, listener };
    return shared;
  };

  return {
    mode,
    sandbox,
    scene: async (life) => {
      const place =
        mode.collect === 'poll'
          ? { ...(await openPlace(sandbox.url, mode, options)), port: 0 }
          : await share();
      const { check, dir, port, state } = place;
      const webhook = `--collect webhook --set listen=${port} --set claim-wait=8s`;
      const collect = mode.collect === 'poll' ? '--collect poll' : webhook;
      const out = `out${life}.csv`;
      const input = `life${life}.csv`;
      const args = `enrich ${input} --out ${out} ${ASK} --set rate=off --state ${state} --set concurrency=${CONCURRENCY} --submit ${mode.submit} ${collect}${dialect}`;
      dir.write(input, csv(linesOf(life)));
      const start = (env: Readonly<Record<string, string>> = {}, isUnbundled = false): Running =>
        limited(dir.start(args, { env, isUnbundled, isService: true }), args);
      return {
        life,
        dir,
        out,
        state,
        check,
        start,
        continue: () => (IS_WHOLE ? start().ended : dir.sluice(args)),
        sluice: (line) =>
          IS_WHOLE ? limited(dir.start(line, { isService: true }), line).ended : dir.sluice(line),
        clear: async () => {
          if (mode.collect === 'poll') await place.end();
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
