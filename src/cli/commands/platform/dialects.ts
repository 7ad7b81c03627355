// sluice dialects: the dialects that are known by a name, with the abilities of each.
import { listDialects } from '../../../app/platform/list-dialects.js';
import { tellDialects } from '../../../tell/tell-lists.js';
import { command, JSON_OPTION, sayPage } from '../../command.js';

export const dialectsCommand = command({
  builder: (yargs) => yargs.options(JSON_OPTION),
  handler: async () => sayPage(tellDialects(await listDialects())),
});
