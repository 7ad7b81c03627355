// One connection to a server: where its password comes from, and how it ends if it is refused.
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';
import { NO_PASSWORD } from './failures.js';

export interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

export class DatabaseClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    // `pg` has read PGPASSWORD. It calls this function only if the server asks for a password.
    const own = this as { password?: unknown };
    own.password ??= (login: Login) => passwordOf(login);
    // If `pg` itself refuses the server, it leaves the connection open, and the process would not end.
    const { connection } = this;
    connection.on('error', () => connection.stream.destroy());
  }
}

/** The folders of sockets for which `localhost` in the file stands. */
const SOCKET_FOLDERS: ReadonlySet<string> = new Set([
  '/tmp',
  '/var/run/postgresql',
  '/run/postgresql',
]);
const OTHERS = 0o077;

/** @throws Error with the code of a wrong password if there is none; SluiceError `store` if others can read the file */
function passwordOf(login: Login): string {
  const path = passwordFile();
  const password = textOf(path)
    ?.split(/\r?\n/)
    .map((line) => passwordIn(line, login))
    .find((found) => found !== undefined);
  if (password !== undefined) return password;
  throw Object.assign(new Error(NO_PASSWORD.words), { code: NO_PASSWORD.code });
}

function passwordFile(): string {
  const { APPDATA, PGPASSFILE } = process.env;
  if (PGPASSFILE !== undefined && PGPASSFILE !== '') return PGPASSFILE;
  if (process.platform !== 'win32') return join(homedir(), '.pgpass');
  return join(APPDATA ?? homedir(), 'postgresql', 'pgpass.conf');
}

function textOf(path: string): string | undefined {
  let mode: number;
  let text: string;
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return undefined;
    mode = stat.mode;
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return text;
  throw new SluiceError(
    'store',
    `The password file ${path} is not used, because other users of this machine may read it. Say: chmod 600 ${shellWord(path)}`,
  );
}

function passwordIn(line: string, { database, host, port, user }: Login): string | undefined {
  if (line.startsWith('#')) return undefined;
  const fields = fieldsOf(line);
  const password = fields[4];
  if (password === undefined || password === '') return undefined;
  const hosts = SOCKET_FOLDERS.has(host) ? [host, 'localhost'] : [host];
  const wanted = [hosts, [String(port)], [database], [user]];
  const isFor = wanted.every(
    (words, i) => fields[i] === '*' || words.includes(unescaped(fields[i] as string)),
  );
  return isFor ? unescaped(password) : undefined;
}

/** The fields of a line, unescaped: four that end with a colon, and the rest. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  let from = 0;
  for (let i = 0; i < line.length && fields.length < 4; i += 1) {
    if (line[i] === '\\') {
      i += 1;
    } else if (line[i] === ':') {
      fields.push(line.slice(from, i));
      from = i + 1;
    }
  }
  return [...fields, line.slice(from)];
}

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, '$1');
}
