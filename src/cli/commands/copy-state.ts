// sluice state copy: takes a state to another place, from a file to a database or back.
import { existsSync } from 'node:fs';
import { copyState } from '../../app/state/copy-state.js';
import { SluiceError } from '../../model/errors.js';
import { isDatabase, nameState, openArchive } from '../../store/open-store.js';
import { command, JSON_OPTION } from '../command.js';
import { formatNumber } from '../print/format.js';

const EVERY_MS = 100;

export const copyStateCommand = command({
  command: 'copy <from> <to>',
  describe: 'Move a state to another file or database, whole and checked',
  builder: (yargs) =>
    yargs
      .positional('from', { type: 'string', demandOption: true, describe: 'Whose runs it has' })
      .positional('to', {
        type: 'string',
        demandOption: true,
        describe: 'A new file, or an empty database',
      })
      .options(JSON_OPTION)
      .example('$0 state copy data/sluice.db postgres://db.internal/leads', ''),
  handler: async ({ from, to }) => {
    refuseMissing(from);
    const progress = createProgress();
    try {
      const { rows, tables } = await withArchive(from, 'source', (source) =>
        withArchive(to, 'target', (target) => copyState(source, target, progress.tell)),
      );
      progress.stop();
      return {
        json: { from, to, rows, tables },
        lines: [
          `${to}: ${formatNumber(rows)} rows copied, and each is the same as in ${from}.`,
          `From now on name this one: --state or SLUICE_STATE, for runs, listeners and timers. ${from} sends nothing more; keep it until the first runs are done.`,
        ],
      };
    } finally {
      progress.stop();
    }
  },
});

async function withArchive<R>(
  state: string,
  role: 'source' | 'target',
  work: (archive: Awaited<ReturnType<typeof openArchive>>) => Promise<R>,
): Promise<R> {
  const archive = await openArchive(state, role);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}

function refuseMissing(from: string): void {
  if (isDatabase(from) || existsSync(from)) return;
  throw new SluiceError('usage', `${nameState(from)} is not there: there is nothing to copy.`, {
    path: from,
  });
}

/** A line that grows, on a terminal alone. */
function createProgress() {
  const { stderr } = process;
  let drawnAt = 0;
  return {
    tell: (rows: number): void => {
      if (!stderr.isTTY || performance.now() - drawnAt < EVERY_MS) return;
      drawnAt = performance.now();
      stderr.write(`\r\u001B[2K${formatNumber(rows)} rows copied`);
    },
    stop: (): void => {
      if (drawnAt > 0) stderr.write('\r\u001B[2K');
      drawnAt = 0;
    },
  };
}
