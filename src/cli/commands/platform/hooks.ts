// sluice hooks: registers, lists, replaces and removes the platform's webhooks.
import type { Argv } from 'yargs';
import { command, JSON_OPTION, TEXT } from '../../command.js';
import { SAY_WHAT } from '../../flags/describe-misuse.js';
import { PLATFORM_OPTIONS, type PlatformArguments } from '../../flags/platform-flags.js';
import type { HookTarget } from './manage-hooks.js';

interface LimitArguments {
  campaign: string | undefined;
  first: boolean;
  zap: string | undefined;
}

interface AddArguments extends PlatformArguments, LimitArguments, HookTarget {
  type: string | undefined;
}

const LIMIT_OPTIONS = {
  campaign: { ...TEXT, describe: 'Only events of this campaign' },
  first: { type: 'boolean', default: false, describe: 'Only the first activity' },
  zap: { ...TEXT, describe: 'An id of your own that the platform keeps with it' },
} as const;

interface IdArguments extends PlatformArguments {
  id: string;
}

const addCommand = command<AddArguments>({
  command: 'add [target]',
  describe: 'Register a webhook; its secret comes from SLUICE_WEBHOOK_SECRET, or is asked for',
  builder: (yargs) =>
    yargs
      .positional('target', {
        type: 'string',
        describe: 'http(s) address that receives the events',
      })
      .options({
        'public-url': {
          ...TEXT,
          describe:
            'Instead of an address: where the platform reaches "sluice listen" with this state file',
        },
        type: { ...TEXT, describe: 'Event type; without one, every event' },
        ...LIMIT_OPTIONS,
        ...PLATFORM_OPTIONS,
        ...JSON_OPTION,
      }),
  handler: async (args) => {
    const { addHook } = await import('./manage-hooks.js');
    await addHook(args, args, { type: args.type, ...limitsOf(args) });
  },
});

const listCommand = command<PlatformArguments>({
  command: 'list',
  describe: 'List the registered webhooks; the platform never tells their secrets',
  builder: (yargs) => yargs.options({ ...PLATFORM_OPTIONS, ...JSON_OPTION }),
  handler: async (args) => {
    const { listHooks } = await import('./manage-hooks.js');
    await listHooks(args);
  },
});

const removeCommand = command<IdArguments>({
  command: 'remove <id>',
  describe: 'Delete a webhook',
  builder: (yargs) => withId(yargs).options({ ...PLATFORM_OPTIONS, ...JSON_OPTION }),
  handler: async (args) => {
    const { removeHook } = await import('./manage-hooks.js');
    await removeHook(args.id, args);
  },
});

const rotateCommand = command<IdArguments & LimitArguments>({
  command: 'rotate <id>',
  describe:
    'Give a webhook a new secret: registers it anew, then deletes the old one. The platform does not tell what an old one was limited to: say it again',
  builder: (yargs) =>
    withId(yargs).options({ ...LIMIT_OPTIONS, ...PLATFORM_OPTIONS, ...JSON_OPTION }),
  handler: async (args) => {
    const { rotateHook } = await import('./manage-hooks.js');
    await rotateHook(args.id, args, limitsOf(args));
  },
});

function limitsOf({ campaign, first, zap }: LimitArguments) {
  return { campaignId: campaign, isFirst: first ? true : undefined, zapId: zap };
}

function withId<A>(yargs: Argv<A>) {
  return yargs.positional('id', {
    type: 'string',
    demandOption: true,
    describe: 'Id of the webhook (hoo_…)',
  });
}

export const hooksCommand = command<object>({
  command: 'hooks <command>',
  describe: 'Register, list, replace and remove webhooks of the platform',
  builder: (yargs) =>
    yargs
      .command([addCommand, listCommand, removeCommand, rotateCommand] as never)
      .demandCommand(1, SAY_WHAT.hooks),
  handler: () => undefined,
});
