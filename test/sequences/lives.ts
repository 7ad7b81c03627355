// Commands as lives in this process: each has its streams and its exit code, and may die at any call to the store
// or the wire. One that is dead has lost its store: no statement of it is performed any more, and what it had begun
// is rolled back, as by the system. A request that had left arrives all the same.
import { AsyncLocalStorage } from 'node:async_hooks';
import Database from '../../src/store/sqlite/database/better-sqlite3.js';

/** One process, as far as the system would tell it from others. */
export interface Life {
  /** Calls to the store and the wire so far, and which of them is the last. */
  points: number;
  readonly diesAt: number;
  isDead: boolean;
  /** Called as it dies: what it waits for may never come then. */
  readonly onDeath: () => void;
  /** The locks that it has taken: the system drops them when it dies. */
  readonly locks: Set<Database.Database>;
  stdout: string;
  stderr: string;
  exitCode: number | undefined;
}

export const lives = new AsyncLocalStorage<Life>();

class Died extends Error {}

/** Puts something in the place of a member; `undo` takes it back. */
export type Swap = (owner: object, key: string, value: unknown) => void;

export function swapper(undo: (() => void)[]): Swap {
  return (owner, key, value) => {
    const own = Object.getOwnPropertyDescriptor(owner, key);
    Object.defineProperty(owner, key, { value, configurable: true, writable: true });
    undo.push(() => {
      if (own === undefined) Reflect.deleteProperty(owner, key);
      else Object.defineProperty(owner, key, own);
    });
  };
}

export function die(life: Life): void {
  life.isDead = true;
  for (const lock of life.locks) lock.close();
  life.onDeath();
}

/** Whoever counts on its effect after a death would see what a dead process cannot do. */
function pointOf(life: Life | undefined): void {
  if (life === undefined) return;
  if (life.isDead) throw new Died();
  life.points += 1;
  if (life.points !== life.diesAt) return;
  die(life);
  throw new Died();
}

// What the system itself does for a dead process.
const UNDONE = /^\s*ROLLBACK/i;
/** Locks are files beside the state file. */
const IS_LOCK = /-(lock|senders)-[0-9a-f]+$/;

function aroundStore(database: Database.Database, sql: string, call: () => unknown): unknown {
  const life = lives.getStore();
  if (life === undefined || UNDONE.test(sql)) return call();
  if (IS_LOCK.test(database.name)) life.locks.add(database);
  pointOf(life);
  const wasInside = database.inTransaction;
  const value = call();
  // Also right after a commit, before the caller hears of it.
  if (wasInside && !database.inTransaction) pointOf(life);
  return value;
}

/** Every statement of every command is a point from now on. */
export function watchStatements(swap: Swap): void {
  const memory = new Database(':memory:');
  const statement = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Record<string, unknown>;
  memory.close();
  for (const name of ['run', 'get', 'all', 'iterate']) {
    const original = statement[name] as (...args: unknown[]) => unknown;
    swap(statement, name, function (this: Database.Statement, ...args: unknown[]) {
      const { database, source } = this;
      return aroundStore(database, source, () => Reflect.apply(original, this, args));
    });
  }
  const members = Database.prototype as unknown as Record<string, unknown>;
  const execute = members['exec'] as (sql: string) => unknown;
  swap(members, 'exec', function (this: Database.Database, sql: string) {
    return aroundStore(this, sql, () => Reflect.apply(execute, this, [sql]));
  });
}

/** From now on what commands print, and how they end, is their life's own. */
export function separateLives(swap: Swap): void {
  for (const [name, stream] of [
    ['stdout', process.stdout],
    ['stderr', process.stderr],
  ] as const) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    swap(stream, 'write', (...args: unknown[]) => {
      const life = lives.getStore();
      if (life === undefined) return write(...args);
      if (!life.isDead) life[name] += String(args[0]);
      const done = args.at(-1);
      if (typeof done === 'function') setImmediate(done as () => void);
      return true;
    });
  }
  for (const [name, to] of [
    ['log', 'stdout'],
    ['error', 'stderr'],
  ] as const) {
    const say = console[name].bind(console);
    swap(console, name, (...args: unknown[]) => {
      const life = lives.getStore();
      if (life === undefined) say(...args);
      else if (!life.isDead) life[to] += `${args.map(String).join(' ')}\n`;
    });
  }
  // The exit code of the process itself is for the tests.
  const whole = process;
  const perLife = new Proxy(whole, {
    get: (target, key) => {
      const life = lives.getStore();
      if (key === 'exitCode' && life !== undefined) return life.exitCode;
      return Reflect.get(target, key, target) as unknown;
    },
    set: (target, key, value) => {
      const life = lives.getStore();
      if (key !== 'exitCode' || life === undefined) return Reflect.set(target, key, value, target);
      life.exitCode = value as number;
      return true;
    },
  });
  swap(globalThis, 'process', perLife);
}
