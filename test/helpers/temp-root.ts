// The folder in which all temporary folders of a test run are, gone with it. In memory where there is room, since every
// commit is synced; `TMPDIR` says another place. vitest.config.ts names this file.
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stopServer } from './postgres-server.js';

const MEMORY = '/dev/shm';
const PREFIX = 'sluice-tests-';
const NEEDED_BYTES = 1024 ** 3;

export default function setup(): (() => Promise<void>) | undefined {
  // Once for each project, in one process.
  if (basename(tmpdir()).startsWith(PREFIX)) return undefined;
  const inMemory = process.env['TMPDIR'] === undefined ? openIn(MEMORY) : undefined;
  const root = inMemory ?? mkdtempSync(join(tmpdir(), PREFIX));
  // Some tests run a command as another user.
  chmodSync(root, 0o755);
  process.env['TMPDIR'] = root;
  return async () => {
    await stopServer();
    rmSync(root, { recursive: true, force: true });
  };
}

/** Undefined where there is not room enough, or where no script may be executed, as in many a container. */
function openIn(folder: string): string | undefined {
  let root: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    root = mkdtempSync(join(folder, PREFIX));
    const script = join(root, 'script');
    writeFileSync(script, '', { mode: 0o700 });
    accessSync(script, constants.X_OK);
    return root;
  } catch {
    if (root !== undefined) rmSync(root, { recursive: true, force: true });
    return undefined;
  }
}
