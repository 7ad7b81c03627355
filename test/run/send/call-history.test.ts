import { expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { createCallHistory } from '../../../src/run/send/call-history.js';

const reason = 'no';
const problem = new SluiceError('platform', reason);

/** The size of the next call, and what changes it. */
function createBatchSize(bulkMax: number, takesSingles = true) {
  const warnings: string[] = [];
  const history = createCallHistory({
    bulkMax,
    drain: new AbortController().signal,
    observe: (event) => {
      if (event.kind === 'run.warned') warnings.push(event.message);
    },
    platform: { takesSingle: true },
    takesSingles,
  });
  const since = history.begin();
  return {
    history,
    warnings,
    absent: () => history.note({ kind: 'absent', problem }, bulkMax, since),
    current: () => history.size(),
    answered: () => history.note({ kind: 'answered' }, 1, since),
    refused: (size: number) => history.note({ kind: 'refused', reason }, size, since),
    doubted: () => history.note({ kind: 'uncertain', reason, problem }, 1, since),
  };
}

it('a bulk call is as large as the platform takes it, as long as all goes well', () => {
  const size = createBatchSize(500);
  size.answered();
  expect(size.current()).toBe(500);
});

it('a refused call is halved until one stands alone; then calls grow again, up to the largest', () => {
  const size = createBatchSize(10);
  const seen = [size.current()];
  while (size.current() > 1) {
    size.refused(size.current());
    seen.push(size.current());
  }
  size.refused(1);
  for (let i = 0; i < 5; i += 1) {
    seen.push(size.current());
    size.answered();
  }
  expect(seen).toEqual([10, 5, 3, 2, 1, 2, 4, 8, 10, 10]);
});

it('what is told of calls that left before the size was halved does not make it larger', () => {
  const size = createBatchSize(64);
  for (const refused of [64, 32, 16, 64, 64]) size.refused(refused);
  expect(size.current()).toBe(8);
});

it('after a call of unknown fate the next one is for a single enrichment', () => {
  const size = createBatchSize(500);
  size.doubted();
  expect(size.current()).toBe(1);
  size.answered();
  expect(size.current()).toBe(2);
});

it('a platform that takes one at a time is asked for one at a time', () => {
  const size = createBatchSize(1);
  size.answered();
  size.refused(1);
  expect(size.current()).toBe(1);
});

it('where there is no bulk call, every later call is for one enrichment, and it is said once', () => {
  const size = createBatchSize(500);
  expect([size.absent(), size.absent()]).toEqual([undefined, undefined]);
  size.answered();
  expect([size.history.isBulk(), size.current()]).toEqual([false, 1]);
  expect(size.warnings).toEqual([expect.stringContaining('one request for each enrichment')]);
});

it('where there is none, and no single one will do, sending ends', () => {
  const size = createBatchSize(500, false);
  expect(size.absent()).toBe(problem);
  expect(size.warnings).toEqual([]);
});
