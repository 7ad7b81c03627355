// sluice credits: the balance of the account, as the platform states it.
import { formatCount } from '../../../model/text/count.js';
import { platformCommand } from '../../platform-command.js';

export const creditsCommand = platformCommand({
  ask: ({ platform }) => platform.readBalance(),
  handler: (credits) => ({
    data: { credits },
    lines: `The account has ${formatCount(credits, 'credit')} left.`,
  }),
});
