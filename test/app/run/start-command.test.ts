import { expect, it, onTestFinished, vi } from 'vitest';
import { createStarter } from '../../../src/app/run/start-command.js';
import { systemClock } from '../../../src/app/system-clock.js';

/** A program that says which variables of ours it was given. */
const SAYS_VARIABLES = [
  process.execPath,
  '--eval',
  "console.log(Object.keys(process.env).filter((name) => name.startsWith('SLUICE_')).sort().join())",
];

it('hands on what a run needs, and not the password of the pages', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('SLUICE_UI_PASSWORD', 'a password of the pages');
  vi.stubEnv('SLUICE_UI_PASSWORD_FILE', '/run/secrets/pages');
  vi.stubEnv('SLUICE_API_KEY', 'a key');
  const starter = createStarter(SAYS_VARIABLES, systemClock);
  const { id } = starter.start('nightly', []);
  await expect.poll(() => starter.find(id)?.end?.code).toBe(0);
  const said = starter.find(id)?.said.join() ?? '';
  expect(said).toContain('SLUICE_API_KEY');
  expect(said).not.toContain('SLUICE_UI_PASSWORD');
});
