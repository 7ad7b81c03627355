import { expect, it } from 'vitest';
import { SluiceError } from '../../src/model/errors.js';

it('more is said of a failure, and what it quotes still goes into no log', () => {
  const error = new SluiceError('usage', 'No column x.', { key: 'x' }, { aside: 'There is: Ada.' });
  const more = error.amended('Mend it.', { run: 1 });
  expect(more.message).toBe('No column x. Mend it. There is: Ada.');
  expect(more.logged).toBe('No column x. Mend it.');
  expect(more.facts).toEqual({ key: 'x', run: 1 });
  const plain = new SluiceError('usage', 'No.').amended('Mend it.');
  expect([plain.message, plain.logged]).toEqual(['No. Mend it.', 'No. Mend it.']);
});
