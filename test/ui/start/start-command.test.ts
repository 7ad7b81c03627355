import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/app/system-clock.js';
import { createStarter } from '../../../src/ui/start/start-command.js';
import { tempFolder } from '../../helpers/temp-folder.js';

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

describe('what a command is asked', () => {
  const asking = (program: string) =>
    createStarter([process.execPath, '--eval', program, '--'], systemClock);
  const STAYS = new AbortController().signal;

  it('is what it prints, and it leaves its temporary files in the folder that it is given', async () => {
    const starter = asking("console.log(require('os').tmpdir() + ' ' + process.argv.slice(1))");
    const said = await starter.ask(['plan', 'a.yaml'], { gone: STAYS, folder: '/tmp/own' });
    expect(said).toBe('/tmp/own plan,a.yaml\n');
  });

  it('is refused as the command refuses it', async () => {
    const starter = asking(
      `console.error('Something.'); console.error('{"error":{"code":"input","message":"It is empty."}}'); process.exit(3)`,
    );
    await expect(starter.ask([], { gone: STAYS, folder: tempFolder() })).rejects.toMatchObject({
      code: 'input',
      message: 'It is empty.',
    });
  });

  it('ends with the browser that asked, a few at once at most', async () => {
    const folder = tempFolder();
    const starter = asking(
      "require('fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => 0, 1000)",
    );
    const gone = new AbortController();
    const files = [1, 2, 3].map((n) => join(folder, `${n}`));
    const asked = files.map((file) => starter.ask([file], { gone: gone.signal, folder }));
    const ends = Promise.allSettled(asked);
    await expect(starter.ask([], { gone: STAYS, folder })).rejects.toThrow(
      'Other plans are being made.',
    );
    const pidIn = (file: string) => existsSync(file) && Number(readFileSync(file, 'utf8'));
    await expect.poll(() => files.every((file) => Number(pidIn(file)) > 0)).toBe(true);
    gone.abort();
    expect((await ends).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    const isThere = (file: string) => {
      try {
        return process.kill(Number(pidIn(file)), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => files.filter(isThere)).toEqual([]);
  });
});
