import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runNoticeCommand } from '../../src/notify/run-notice-command.js';
import { tempFolder } from '../helpers/temp-folder.js';

const folder = tempFolder();
const PATH = process.env['PATH'] ?? '';
const sh = (script: string, timeoutMs?: number) =>
  runNoticeCommand(['sh', '-c', script], '{"run":1}\n', { PATH, folder, RUN: '1' }, timeoutMs);

describe('a command that is told', () => {
  it.each([
    ['echo out; echo err >&2; exit 3', 'sh ended with exit code 3', 'out\nerr'],
    ['exit 3', 'sh ended with exit code 3', ''],
    ['kill -9 $$', 'sh ended with SIGKILL', ''],
  ])('%s: is quoted where it fails', async (script, trouble, said) => {
    expect(await sh(script)).toEqual({ trouble, said });
  });

  it('may leave its input unread, and what it says is cut', async () => {
    const much = await sh(
      'exec <&-; i=0; while [ $i -lt 3000 ]; do echo 0123456789; i=$((i+1)); done; exit 1',
    );
    expect(much?.said.length).toBeLessThan(2_100);
  });

  it('is ended, with all that it started, where it does not come to an end', async () => {
    expect(await sh('echo begun; sleep 600; echo never', 3_000)).toEqual({
      trouble: 'sh was still running after 3 s',
      said: 'begun',
    });
  });

  it('is not waited for where only something in the background goes on', async () => {
    expect(await sh('sleep 20 & exit 0')).toBeUndefined();
  });

  it('that is not there says so', async () => {
    expect(await runNoticeCommand([join(folder, 'none')], '', {})).toMatchObject({
      trouble: expect.stringMatching(/none cannot be started \(ENOENT\)$/),
    });
  });
});
