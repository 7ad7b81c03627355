import { expect, it } from 'vitest';
import { continueWith, runCommandLine, stateFlag } from '../../../src/cli/print/next-command.js';

it('a command names the state file where it is not the usual one', () => {
  expect(stateFlag('data/sluice.db')).toBe('');
  expect(stateFlag('other/state.db')).toBe(' --state other/state.db');
  expect(stateFlag("my Eve's.db")).toBe(" --state 'my Eve'\\''s.db'");
});

it('a job is named as one word, whatever its path', () => {
  expect(runCommandLine('my jobs/a.yaml', undefined)).toBe("sluice run 'my jobs/a.yaml'");
  expect(runCommandLine('nightly', 'other.db')).toBe('sluice run nightly --state other.db');
});

it('a job in jobs/ is continued by its name, and any other one as it was started', () => {
  expect(continueWith('legislators', 'a.db')).toBe(
    'Continue with: sluice run legislators --state a.db',
  );
  expect(continueWith('leads.csv', 'a.db')).toBe('Start it as before; it continues.');
});
