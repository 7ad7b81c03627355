import { expect, it } from 'vitest';
import { forgottenLines } from '../../../src/cli/commands/forget.js';

const NOTHING = {
  leads: 0,
  enrichments: 0,
  results: 0,
  deliveries: 0,
  events: 0,
  rejects: 0,
  names: 0,
  runs: [],
  openRuns: [],
  pendingDeliveries: 0,
  isErased: true,
  left: null,
};

it('where nothing was known of a person, nothing stays to be told', () => {
  expect(forgottenLines(NOTHING, 'state.db')).toEqual(['state.db knows nothing of them.']);
  expect(forgottenLines({ ...NOTHING, leads: 2 }, 'state.db')).toEqual([
    'Removed from state.db and from the disk: 2 leads.',
    'Their cost and the digests of their questions stay, so that nothing is paid for twice.',
    'Input files, backups and other copies are yours to clean.',
  ]);
});

it('names that stay are told, also where nothing else was known', () => {
  const told = expect.stringContaining('still hold such an address, in 2 places');
  expect(forgottenLines({ ...NOTHING, names: 2 }, 'state.db')).toEqual([
    'state.db knows nothing else of them.',
    told,
  ]);
  expect(forgottenLines({ ...NOTHING, leads: 2, names: 2 }, 'state.db')).toContainEqual(told);
});
