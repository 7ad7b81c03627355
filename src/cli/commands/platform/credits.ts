// sluice credits: the balance of the account, as the platform states it.
import { askPlatform } from '../../../app/platform/ask-platform.js';
import { formatCount } from '../../../model/text/count.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { JSON_OPTION, PLATFORM_OPTIONS } from '../../options.js';

export const creditsCommand = command({
  options: { ...PLATFORM_OPTIONS, ...JSON_OPTION },
  handler: async (args) => {
    const credits = await askPlatform(args, commandEnvironment(), ({ platform }) =>
      platform.readBalance(),
    );
    return { json: { credits }, lines: `The account has ${formatCount(credits, 'credit')} left.` };
  },
});
