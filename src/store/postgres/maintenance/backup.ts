// The backup of a state in a database: PostgreSQL's own tools copy it.
import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';
import type { Database } from '../database/database.js';

/** The error that names the command to copy the database with. */
export function backupSaid(
  { connectionString, schema }: Pick<Database, 'connectionString' | 'schema'>,
  path: string,
): SluiceError {
  const command = `pg_dump --format=custom --schema=${schema} --file=${shellWord(path)} ${shellWord(connectionString)}`;
  return new SluiceError(
    'usage',
    `A state in a database is copied by the database's own tools, while it is in use too. Say: ${command}`,
    {},
  );
}
