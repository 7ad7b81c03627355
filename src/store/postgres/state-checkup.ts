import type { StateCheckup } from '../../ports/store/state-checkup.js';
import { keptKey } from '../deliveries/signing-key.js';
import { pausedSince } from '../jobs.js';
import { sizeAt } from '../maintenance/size.js';
import { parseDatabaseAddress } from './database/address.js';
import { openDatabase, type Sql } from './database/database.js';
import { checkSchema } from './database/schema.js';
import { busyJobs } from './jobs.js';
import { lookAtSenders } from './limit.js';
import { measure } from './maintenance/disk.js';

/** @throws SluiceError `store` if there is none, or one of another release */
export async function openCheckup(address: string): Promise<StateCheckup> {
  const database = openDatabase(parseDatabaseAddress(address));
  const look = <R>(work: (sql: Sql) => Promise<R>) => database.perform(work, { kind: 'snapshot' });
  try {
    const { version } = await checkSchema(database);
    return {
      version,
      // A state with another version was refused.
      versionKnown: version,
      size: (at) => look((sql) => sizeAt(sql, measure, at)),
      // The server checks its pages itself.
      findDamage: async () => [],
      busyJobs: () => look(busyJobs),
      senders: (account) => look((sql) => lookAtSenders(sql, account)),
      pausedSince: (job) => look((sql) => pausedSince(sql, job)),
      signingKey: () => look(async (sql) => (await keptKey(sql)) ?? null),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
