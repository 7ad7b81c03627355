// sluice backup FILE: a copy of the state file, also while runs go on.
import { command, JSON_OPTION, STATE_OPTION } from '../../command.js';

interface BackupArguments {
  file: string;
  state: string | undefined;
  json: boolean;
}

export const backupCommand = command<BackupArguments>({
  command: 'backup <file>',
  describe: 'Copy the state file, checked and whole, also while a run goes on',
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'Where to; never overwrites a file',
      })
      .options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const { withState } = await import('../../open-state.js');
    const { formatNumber } = await import('../../print/format.js');
    const { refuseOwnFiles } = await import('../../../app/files/check-writes.js');
    await withState(args.state, async (store, state) => {
      const copy = { path: args.file, purpose: 'backup' } as const;
      refuseOwnFiles([copy], { job: '', sources: [], state });
      const bytes = await store.backup(args.file);
      console.log(
        args.json
          ? JSON.stringify({ state, file: args.file, bytes })
          : `${args.file}: ${formatNumber(bytes)} bytes, whole and checked. It holds people's data: keep it as safe as ${state}.`,
      );
    });
  },
});
