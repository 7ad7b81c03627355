import { expect, it } from 'vitest';
import { createCallHistory } from '../../../src/run/send/call-history.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess } from '../../helpers/test-run.js';

it('what is told of calls that left before the size was halved does not make it larger', async () => {
  const { close, context } = await openProcess(createWorld(tempFolder()), { bulkMax: 64 });
  const history = createCallHistory(context);
  const since = history.begin();
  for (const size of [64, 32, 16, 64, 64]) {
    history.note({ kind: 'refused', reason: 'no' }, size, since);
  }
  expect(history.size()).toBe(8);
  await close();
});
