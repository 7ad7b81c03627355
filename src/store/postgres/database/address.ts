// The address of a database: `postgres://user@host:port/database?schema=NAME`. Missing parts come from the variables of
// libpq (PGHOST, PGUSER, PGDATABASE, PGSSLMODE, …), as `psql` reads them; a password always does, or comes from
// ~/.pgpass.
import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';

const PROTOCOL = /^postgres(ql)?:\/\//;
/** An address without a host, which `URL` does not allow. */
const WITHOUT_HOST = /^postgres:\/\/([^/?#@]*@)?(?=[/?]|$)/;
const NO_HOST = 'no-host.invalid';
/** A name of a schema. PostgreSQL keeps names with pg_ to itself. */
const SCHEMA = /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}$/;
const SCHEMA_DEFAULT = 'sluice';
/** Keys of a query that name a password, such as `Password` and `sslpassword`. */
const PASSWORD_KEY = /passw|pwd/i;

export interface DatabaseAddress {
  readonly connectionString: string;
  readonly schema: string;
  readonly shown: string;
}

export function isDatabase(state: string): boolean {
  return PROTOCOL.test(state);
}

/** @throws SluiceError `usage` for an address with a password, or one that cannot be read */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const hidden = text.replace(/:\/\/.*@/s, '://…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);
  let url: URL;
  try {
    url = new URL(
      text.replace(PROTOCOL, 'postgres://').replace(WITHOUT_HOST, `postgres://$1${NO_HOST}`),
    );
  } catch {
    // Neither the text nor the cause is shown: an address that cannot be read may hold a password anywhere.
    throw new SluiceError(
      'usage',
      'The address of the database cannot be read. It is written postgres://USER@HOST:PORT/DATABASE, and any part may be left out.',
    );
  }
  const query = `${url.search}&${url.hash}`.replaceAll(';', '&');
  const keys = [...new URLSearchParams(query).keys()];
  if (url.password !== '' || keys.some((key) => PASSWORD_KEY.test(key))) {
    throw new SluiceError(
      'usage',
      `${hidden} contains a password, which others could see. Put it into the variable PGPASSWORD or the file ~/.pgpass, and leave it out of the address.`,
    );
  }
  const schema = url.searchParams.get('schema') ?? SCHEMA_DEFAULT;
  if (!SCHEMA.test(schema)) {
    throw new SluiceError(
      'usage',
      `The schema ${schema} in ${hidden} cannot be used: a name has small letters, digits and underscores.`,
    );
  }
  url.searchParams.delete('schema');
  const connectionString = url.href.replace(NO_HOST, '');
  return { connectionString, schema, shown: text };
}

/** The error of a backup, which names the command that copies the database: PostgreSQL's own tools do that. */
export function backupSaid(
  { connectionString, schema }: DatabaseAddress,
  path: string,
): SluiceError {
  const command = `pg_dump --format=custom --schema=${schema} --file=${shellWord(path)} ${shellWord(connectionString)}`;
  return new SluiceError(
    'usage',
    `A state in a database is copied by the database's own tools, while it is in use too. Say: ${command}`,
  );
}
