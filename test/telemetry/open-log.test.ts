import { expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/telemetry/observe.js';
import { openLog } from '../../src/telemetry/open-log.js';

it('of a worker has on each line the job and the run that it belongs to, however many are under way', () => {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({
    level: 'trace',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const sent = (ofJob: string): RunEvent => ({
    kind: 'enrichments.claimed',
    enrichments: [1],
    ofJob,
  });
  const reopened = (job: string, id: number) =>
    ({
      kind: 'run.reopened',
      run: { id, job },
      queued: 0,
      awaiting: 0,
      answered: 0,
      ofJob: job,
    }) as unknown as RunEvent;
  const away: RunEvent = { kind: 'run.warned', warning: 'database_gone', message: 'It has gone.' };
  for (const event of [reopened('a', 7), reopened('b', 8), sent('a'), sent('b'), away]) log(event);
  expect(lines.slice(2).map(({ job, run }) => [job, run])).toEqual([
    ['a', 7],
    ['b', 8],
    [undefined, undefined],
  ]);
});
