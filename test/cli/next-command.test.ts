import { expect, it } from 'vitest';
import { continueWith, stateFlag } from '../../src/cli/next-command.js';

it('a command names the state file where it is not the usual one', () => {
  expect(stateFlag('data/sluice.db')).toBe('');
  expect(stateFlag('other/state.db')).toBe(' --state other/state.db');
  expect(stateFlag("my Eve's.db")).toBe(" --state 'my Eve'\\''s.db'");
});

it('a job in jobs/ is continued by its name, and any other one as it was started', () => {
  expect(continueWith('legislators', 'a.db')).toBe(
    'Continue with: sluice run legislators --state a.db',
  );
  expect(continueWith('leads.csv', 'a.db')).toBe('Start it as before; it continues.');
});
