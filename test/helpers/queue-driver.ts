// What the queue connects with, for tests that open it themselves.
import type { QueueDriver } from '../../src/queue/open-bullmq-dispatcher.js';
import { DatabaseClient } from '../../src/store/postgres/database/client.js';
import { troubleOf } from '../../src/store/postgres/database/failures.js';

export const loadDriver = async (): Promise<QueueDriver> => ({ DatabaseClient, troubleOf });
