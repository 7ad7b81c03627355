import { SluiceError, wrongUse } from '../../model/errors.js';
import { whileOpen } from '../../model/while-open.js';
import type { Dispatcher } from '../../ports/dispatcher.js';
import type { QueueDriver } from '../../queue/open-bullmq-dispatcher.js';
import {
  isDatabase,
  loadPostgres,
  loadWithPg,
  parseDatabaseAddress,
} from '../../store/open-store.js';
import type { Environment } from '../settings/environment.js';

/**
 * BullMQ needs a connection of its own for as long as it works: `SLUICE_QUEUE` names the database itself if the state's
 * address is that of PgBouncer.
 * @throws SluiceError `usage` if no database is named, or the packages are missing; `store`
 */
export async function openDispatcher(state: string, environment: Environment): Promise<Dispatcher> {
  const address = environment.queue ?? state;
  if (!isDatabase(address)) {
    throw wrongUse(
      'The queue needs a PostgreSQL database: keep the state in one with --state postgres://…, or name one for the queue alone with SLUICE_QUEUE.',
    );
  }
  const { connectionString, schema, shown } = parseDatabaseAddress(address);
  const { openBullmqDispatcher } = await import('../../queue/open-bullmq-dispatcher.js');
  return openBullmqDispatcher({ connectionString, shown, name: schema, load });
}

export async function withDispatcher<R>(
  state: string,
  environment: Environment,
  work: (dispatcher: Dispatcher) => Promise<R>,
): Promise<R> {
  return whileOpen(await openDispatcher(state, environment), work);
}

/** Not from the store's entrance: declarations that programs compile against name no optional package. */
async function load(): Promise<QueueDriver> {
  const { DatabaseClient } = await loadWithPg(
    () => import('../../store/postgres/database/client.js'),
  );
  const { troubleOf } = await loadPostgres();
  return { DatabaseClient, troubleOf };
}

/** Makes the tables of the queue. Returns the reason if they cannot be made: without workers nothing needs them. */
export async function makeQueue(
  state: string,
  environment: Environment,
): Promise<string | undefined> {
  try {
    return await withDispatcher(state, environment, async () => undefined);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return error.message;
  }
}
