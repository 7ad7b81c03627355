// A database is copied by its own tools.
import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';
import type { Database } from '../database/database.js';

/** What takes the place of a copy. */
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
