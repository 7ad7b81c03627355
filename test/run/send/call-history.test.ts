import { expect, it } from 'vitest';
import { createCallHistory } from '../../../src/run/send/call-history.js';

it('what is told of calls that left before the size was halved does not make it larger', () => {
  const history = createCallHistory({
    bulkMax: 64,
    drain: new AbortController().signal,
    observe: () => undefined,
    platform: { takesSingle: true },
    takesSingles: true,
  });
  const since = history.begin();
  for (const size of [64, 32, 16, 64, 64]) {
    history.note({ kind: 'refused', reason: 'no' }, size, since);
  }
  expect(history.size()).toBe(8);
});
