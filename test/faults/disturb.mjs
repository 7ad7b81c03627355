// Loaded before the unbundled command line (NODE_OPTIONS=--import), which shares its libraries: counts the points at which the process meets the
// world outside, and at the n-th one ends it, or lets that one call fail.
//
// DISTURB=kill:N   SIGKILL at the n-th point
// DISTURB=fail:N   the n-th call fails as the disk, the lock or the wire would make it fail
// DISTURB=fail:N:network  the n-th of the calls of one kind (store, network or files); likewise with kill
// DISTURB=count    nothing but counting
// DISTURB_REPORT   where to write {points, kinds, struck} as JSON, at the end or right before the kill
//
// The points, each before or after an effect:
// - store: before every statement, and after each that made something durable (a COMMIT, or a write outside
//   a transaction); everything else after it is the point before the next one. In a database a statement fails because
//   its connection is cut, before or after it was sent
// - network: before a request is handed over, before its first byte, when its answer begins, when it is whole
// - files: before and after every call that opens, reads, writes, syncs, renames or removes below the folder
//   in which the process was started
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from '../../dist/store/sqlite/database/better-sqlite3.js';

const require = createRequire(import.meta.url);
const { Client } = require('pg');
const { Pool } = require('undici');

const [mode, number, onlyKind] = (process.env.DISTURB ?? 'count').split(':');
const nth = Number(number ?? Number.POSITIVE_INFINITY);
const { DISTURB_REPORT: reportPath } = process.env;
const { writeFileSync } = fs;
const home = process.cwd() + sep;

let points = 0;
const kinds = {};
let struck;

const report = () => {
  if (reportPath === undefined) return;
  writeFileSync(reportPath, JSON.stringify({ points, kinds, struck: struck ?? null }));
};
process.on('exit', report);

/** To be called at every point. Returns the error that the call there has to fail with, if it has to. */
function point(kind, what, fail) {
  if (mode === 'fail' && fail === undefined) return undefined;
  points += 1;
  kinds[kind] = (kinds[kind] ?? 0) + 1;
  if (onlyKind === undefined ? points !== nth : kind !== onlyKind || kinds[kind] !== nth) {
    return undefined;
  }
  struck = `${kind}: ${what}`;
  if (mode === 'fail') return fail();
  report();
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way: nothing may happen any more.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return undefined;
}

/** As the system would say it; which one of them goes by the number of the point. */
function systemError([code, text], syscall) {
  return Object.assign(new Error(`${code}: ${text}, ${syscall}`), { code, syscall, errno: -5 });
}
const DISK = [
  ['EIO', 'i/o error'],
  ['ENOSPC', 'no space left on device'],
];
const failFile = (syscall) => () => systemError(DISK[nth % DISK.length], syscall);
const failWire = () => systemError(['ECONNRESET', 'socket hang up'], 'read');
const SQLITE = [
  ['SQLITE_IOERR_WRITE', 'disk I/O error'],
  ['SQLITE_FULL', 'database or disk is full'],
  ['SQLITE_BUSY', 'database is locked'],
];
const failStore = () => {
  const [code, text] = SQLITE[nth % SQLITE.length];
  return new Database.SqliteError(text, code);
};

// --- store ---

const memory = new Database(':memory:');
const Statement = Object.getPrototypeOf(memory.prepare('SELECT 1'));
memory.close();

const brief = (sql) => sql.trim().replace(/\s+/g, ' ').slice(0, 60);

/** The open database does not tell a statement's own effect: it was durable where it left no transaction open. */
function aroundStore(database, sql, isWriting, call) {
  const wasInside = database.inTransaction;
  const error = point('store', `before ${brief(sql)}`, failStore);
  if (error !== undefined) throw error;
  const value = call();
  const isInside = database.inTransaction;
  if (wasInside ? !isInside : !isInside && isWriting) point('store', `after ${brief(sql)}`);
  return value;
}

for (const name of ['run', 'get', 'all']) {
  const original = Statement[name];
  Statement[name] = function (...args) {
    return aroundStore(this.database, this.source, !this.readonly, () =>
      Reflect.apply(original, this, args),
    );
  };
}
const exec = Database.prototype['exec'];
Database.prototype.exec = function (sql) {
  return aroundStore(this, sql, true, () => Reflect.apply(exec, this, [sql]));
};

// --- store, in a database ---

const cut = () => new Error('Connection terminated unexpectedly');
const ask = Client.prototype['query'];
Client.prototype.query = function (...args) {
  const sql = typeof args[0] === 'string' ? args[0] : (args[0]?.text ?? '');
  const { stream } = this.connection;
  // Every other time the server still gets what was to be sent: a COMMIT then counts, and its answer is lost.
  if (point('store', `before ${brief(sql)}`, cut) !== undefined) {
    if (nth % 2 === 0) stream.destroy();
    const answer = Reflect.apply(ask, this, args);
    if (nth % 2 === 1) stream.destroySoon();
    return answer;
  }
  const answer = Reflect.apply(ask, this, args);
  if (sql !== 'COMMIT' || typeof answer?.then !== 'function') return answer;
  return answer.then((value) => {
    point('store', 'after COMMIT');
    return value;
  });
};

// --- network ---

const dispatch = Pool.prototype['dispatch'];
Pool.prototype.dispatch = function (options, handler) {
  const what = `${options.method} ${options.path.replace(/\?.*/s, '').replace(/enr_\w+/, 'ID')}`;
  const error = point('network', `before ${what}`, failWire);
  const isNew = typeof handler.onRequestStart === 'function';
  if (error !== undefined) {
    queueMicrotask(() =>
      isNew ? handler.onResponseError(undefined, error) : handler.onError(error),
    );
    return true;
  }
  return Reflect.apply(dispatch, this, [
    options,
    isNew ? disturbed(handler, what) : disturbedOld(handler, what),
  ]);
};

function disturbed(handler, what) {
  let isCut = false;
  const cut = (controller, error) => {
    isCut = true;
    handler.onResponseError(controller, error);
  };
  return {
    onRequestStart(controller, context) {
      const error = point('network', `first byte of ${what}`, failWire);
      handler.onRequestStart(controller, context);
      if (error !== undefined) controller.abort(error);
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart(controller, status, headers, message) {
      const error = point('network', `answer of ${what}`, failWire);
      if (error !== undefined) cut(controller, error);
      else handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      if (!isCut) handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      if (isCut) return;
      const error = point('network', `end of ${what}`, failWire);
      if (error !== undefined) cut(controller, error);
      else handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(controller, error) {
      if (!isCut) handler.onResponseError?.(controller, error);
    },
  };
}

/** undici's own `request` has a handler of the old kind. */
function disturbedOld(handler, what) {
  let isCut = false;
  const cut = (error) => {
    isCut = true;
    handler.onError(error);
  };
  return {
    onConnect(abort, context) {
      const error = point('network', `first byte of ${what}`, failWire);
      handler.onConnect(abort, context);
      if (error !== undefined) abort(error);
    },
    onUpgrade: (...args) => handler.onUpgrade?.(...args),
    onHeaders(...args) {
      const error = point('network', `answer of ${what}`, failWire);
      if (error === undefined) return handler.onHeaders(...args);
      cut(error);
      return true;
    },
    onData: (chunk) => (isCut ? true : handler.onData(chunk)),
    onComplete(trailers) {
      if (isCut) return;
      const error = point('network', `end of ${what}`, failWire);
      if (error === undefined) handler.onComplete(trailers);
      else cut(error);
    },
    onError(error) {
      if (!isCut) handler.onError(error);
    },
  };
}

// --- files ---

/** Only what belongs to the run: modules and the like are read from elsewhere. */
function isOurs(path) {
  const text = path instanceof URL ? fileURLToPath(path) : String(path);
  const whole = text.startsWith(sep) ? text : home + text;
  return whole.startsWith(home) && !whole.includes(`${sep}node_modules${sep}`);
}
const ourHandles = new WeakSet();
const ourDescriptors = new Set();

function aroundSync(name, isCounted) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (!isCounted(args[0])) return original(...args);
    const error = point('files', `before ${name}`, failFile(name));
    if (error !== undefined) throw error;
    const value = original(...args);
    if (name === 'openSync') ourDescriptors.add(value);
    if (name === 'closeSync') ourDescriptors.delete(args[0]);
    point('files', `after ${name}`);
    return value;
  };
}
for (const name of ['openSync', 'mkdirSync', 'statSync']) aroundSync(name, isOurs);
aroundSync('closeSync', (descriptor) => ourDescriptors.has(descriptor));

async function aroundPromise(name, call) {
  const error = point('files', `before ${name}`, failFile(name));
  if (error !== undefined) throw error;
  const value = await call();
  point('files', `after ${name}`);
  return value;
}
const ours = [
  'open',
  'rename',
  'rm',
  'readdir',
  'stat',
  'realpath',
  'access',
  'readFile',
  'mkdtemp',
];
for (const name of ours) {
  const original = fs.promises[name];
  fs.promises[name] = (...args) => {
    if (!isOurs(args[0])) return original(...args);
    return aroundPromise(name, async () => {
      const value = await original(...args);
      if (name === 'open') ourHandles.add(value);
      return value;
    });
  };
}
const handle = await fs.promises.open(fileURLToPath(import.meta.url));
const FileHandle = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['appendFile', 'writeFile', 'write', 'read', 'sync', 'chmod', 'stat', 'close']) {
  const original = FileHandle[name];
  FileHandle[name] = function (...args) {
    const call = () => Reflect.apply(original, this, args);
    return ourHandles.has(this) ? aroundPromise(`handle.${name}`, call) : call();
  };
}
syncBuiltinESMExports();
