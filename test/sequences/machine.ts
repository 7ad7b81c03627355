// A machine in this process: commands run on it as `sluice ARGS` would, one or several at once, with a clock that is
// driven by hand. Time stands still while anything can go on without it, then jumps to the next sleeper.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { systemClock } from '../../src/app/system-clock.js';
import { performCommand } from '../../src/cli/perform-command.js';
import type { Clock } from '../../src/ports/clock.js';
import { createDrivenClock, nextTurn } from '../helpers/driven-clock.js';
import { die, type Life, lives, separateLives, swapper, watchStatements } from './lives.js';
import type { WorldState } from './state.js';

export interface Ended {
  /** The exit code; null where it died. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command: `sluice ARGS`. */
export interface Line {
  readonly args: readonly string[];
  /** The call to the store or the wire at which it dies. */
  readonly diesAt?: number | undefined;
  /** How much later than the others it begins. */
  readonly afterMs?: number | undefined;
}

/** Where commands run; with a clock of its own or the real one. */
export interface Machine {
  now(): number;
  /** Time passes while nothing runs. */
  pass(ms: number): void;
  /** Runs all of them at the same time, each to its end or to its death. */
  runAll(lines: readonly Line[]): Promise<Ended[]>;
  /** What the platform takes over an enrichment, and how often it may be asked; undefined is as its dialect says. */
  readonly latencyMs: number;
  readonly limit: { readonly rate?: 'off' };
  /** Where the state is, if not in a file. */
  readonly openState?: () => Promise<WorldState>;
  /** Opens what belongs to the platform, so that its timers go by the same clock. */
  openPlatform<T>(open: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** What both kinds of commands find in their environment. */
export const CREDENTIALS = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' } as const;

const platforms = new AsyncLocalStorage<true>();
const START_MS = 1_700_000_000_000;
/** Milliseconds of real time, at least: a command that has not to be woken for so long waits for nothing. */
const STUCK_MS = 60_000;
/** Longer than any run of a sequence takes: it goes round in circles. */
const LATEST_MS = 400 * 86_400_000;
const AT_WORK = new Set([
  'Immediate',
  'FSReqCallback',
  'FSReqPromise',
  'TCPConnectWrap',
  'GetAddrInfoReqWrap',
]);

/** Timers that the platform sets go by the driven clock; all others are real. */
function platformTimers(clock: Clock) {
  const real = { setTimeout, clearTimeout };
  const isDriven = (timer: unknown): timer is { stop: () => void } =>
    typeof timer === 'object' && timer !== null && 'stop' in timer;
  return {
    setTimeout: ((call: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      if (platforms.getStore() === undefined) return real.setTimeout(call, ms, ...args);
      const stopped = new AbortController();
      void clock.sleep(ms ?? 0, stopped.signal).then(() => stopped.signal.aborted || call(...args));
      const timer = { stop: () => stopped.abort(), unref: () => timer, ref: () => timer };
      return timer;
    }) as never,
    clearTimeout: ((timer: unknown) => {
      if (isDriven(timer)) timer.stop();
      else real.clearTimeout(timer as never);
    }) as never,
  };
}

/** The process of the tests is put back as it was by what this hands back. */
export function startMachine(): Machine {
  Object.assign(process.env, CREDENTIALS);
  const clock = createDrivenClock(START_MS);
  let passedMs = 0;
  const now = (): number => clock.now() + passedMs;
  const onTheWire = new Set<object>();
  const undo: (() => void)[] = [];
  const swap = swapper(undo);
  watchStatements(swap);
  swap(Date, 'now', now);
  swap(performance, 'now', () => now() - performance.timeOrigin);
  swap(systemClock, 'steady', () => ({ boot: 'driven', ms: now() }));
  swap(systemClock, 'sleep', async (ms: number, signal?: AbortSignal) => {
    const life = lives.getStore();
    await clock.sleep(ms, signal);
    // A dead life does not wake, and asks for nothing in the time of a later step.
    if (life?.isDead === true) await new Promise(() => undefined);
  });
  const timers = platformTimers(clock);
  swap(globalThis, 'setTimeout', timers.setTimeout);
  swap(globalThis, 'clearTimeout', timers.clearTimeout);
  separateLives(swap);

  const created = (message: unknown): void => {
    const { request } = message as { request: object };
    onTheWire.add(request);
    const life = lives.getStore();
    if (life === undefined || life.isDead) return;
    life.points += 1;
    // It leaves, and its process never hears what became of it.
    if (life.points === life.diesAt) die(life);
  };
  const answered = (message: unknown): void => {
    onTheWire.delete((message as { request: object }).request);
  };
  const channels = [
    ['undici:request:create', created],
    ['undici:request:trailers', answered],
    ['undici:request:error', answered],
  ] as const;
  for (const [name, hear] of channels) {
    subscribe(name, hear);
    undo.push(() => void unsubscribe(name, hear));
  }

  const isAtWork = (): boolean =>
    onTheWire.size > 0 || process.getActiveResourcesInfo().some((name) => AT_WORK.has(name));

  const settled = async (isOver: () => boolean): Promise<void> => {
    for (let idle = 0; idle < 3 && !isOver(); ) {
      await nextTurn();
      idle = isAtWork() ? 0 : idle + 1;
    }
  };

  /** Moves time on by itself until the work has ended. */
  const drive = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    void work.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    let still = 0;
    while (!isDone) {
      await settled(() => isDone);
      if (isDone) break;
      if (clock.sleeping() > 0) {
        still = 0;
        clock.wake();
        if (clock.now() - START_MS > LATEST_MS) throw new Error('it never ends');
        continue;
      }
      still += 1;
      if (still > STUCK_MS) throw new Error('everything waits, and nothing will wake it');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return work;
  };

  const begin = async ({ args, diesAt = 0, afterMs = 0 }: Line): Promise<Ended> => {
    if (afterMs > 0) await clock.sleep(afterMs);
    let hasDied = (): void => undefined;
    const death = new Promise<void>((resolve) => {
      hasDied = resolve;
    });
    const life: Life = {
      points: 0,
      diesAt,
      isDead: false,
      onDeath: () => hasDied(),
      locks: new Set(),
      stdout: '',
      stderr: '',
      exitCode: undefined,
    };
    await lives.run(life, async () => {
      try {
        // It may die in what it does beside, and wait for that for ever.
        await Promise.race([performCommand(args), death]);
      } catch (error) {
        if (!life.isDead) throw error;
      }
    });
    const { isDead, stdout, stderr } = life;
    return { code: isDead ? null : (life.exitCode ?? 0), stdout, stderr };
  };

  return {
    now,
    pass: (ms) => {
      passedMs += ms;
    },
    runAll: (lines) => drive(Promise.all(lines.map(begin))),
    latencyMs: 1_000,
    limit: {},
    openPlatform: (open) => platforms.run(true, open),
    stop: () => undo.toReversed().forEach((one) => one()),
  };
}
