// sluice state backup FILE: a copy of the state file, also while runs go on.

import { refuseOwnFiles } from '../../../app/files/check-writes.js';
import { formatNumber } from '../../../model/text/count.js';
import { stateCommand } from '../../open-state.js';
import { needed } from '../../options.js';

export const backupCommand = stateCommand({
  command: 'backup <file>',
  describe: 'Copy a state file, checked, also while a run goes on',
  args: { file: needed('The file to write; never overwrites one') },
  handler: async ({ file }, store, state) => {
    refuseOwnFiles([{ path: file, purpose: 'backup' }], { job: '', sources: [], state });
    const bytes = await store.backup(file);
    return {
      data: { state, file, bytes },
      lines: `${file}: ${formatNumber(bytes)} bytes, complete and checked. It holds people's data: keep it as safe as ${state}.`,
    };
  },
});
