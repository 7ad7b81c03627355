// sluice hooks: registers, lists, replaces and removes the platform's webhooks.

import type { InferredOptionTypes } from 'yargs';
import {
  addHook,
  checkHookOrder,
  type Rotation,
  removeHook,
  rotateHook,
} from '../../../app/listen/hooks.js';
import { loadDialect } from '../../../config/load-dialect.js';
import { demandCalls } from '../../../dialect/calls.js';
import { wrongUse } from '../../../model/errors.js';
import type { Hook } from '../../../model/resources/resources.js';
import { formatCount } from '../../../model/text/count.js';
import { printable } from '../../../model/text/printable.js';
import { hookData, tellHooks } from '../../../tell/tell-lists.js';
import { promptSecret } from '../../ask.js';
import { command, type Said, say } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import {
  JSON_OPTION,
  needed,
  PLATFORM_OPTIONS,
  type PlatformArguments,
  TELLS_WAITS,
  text,
  toggle,
} from '../../options.js';
import { platformCommand } from '../../platform-command.js';

const LIMIT_OPTIONS = {
  campaign: text('Only events of this campaign'),
  first: toggle('Only the first activity'),
  zap: text('An id of your own that the platform keeps with it'),
} as const;

const ID = needed('Id of the webhook (hoo_…)');

const addCommand = command({
  command: 'add [target]',
  describe: 'Register a webhook; its secret comes from SLUICE_WEBHOOK_SECRET, or is asked for',
  args: { target: text('http(s) address that receives the events') },
  options: {
    'public-url': text(
      'Instead of an address: where the platform reaches "sluice listen" with this state',
    ),
    type: text("Event type, by our name or the platform's; without one, every event"),
    ...LIMIT_OPTIONS,
    ...PLATFORM_OPTIONS,
    ...JSON_OPTION,
  },
  handler: async (args) => {
    const { target, 'public-url': publicUrl, type } = args;
    const order = { target, publicUrl, type, ...limitsOf(args) };
    // Checked before the user is asked for the secret.
    checkHookOrder(order, await loadDialect(args.dialect));
    const secret = await secretOf(args);
    const environment = commandEnvironment();
    const hook = await addHook(order, { ...args, ...TELLS_WAITS, environment, secret });
    return registered(hook, secret !== undefined);
  },
});

const listCommand = platformCommand({
  command: 'list',
  describe: 'List the registered webhooks; the platform never returns their secrets',
  lists: true,
  ask: ({ platform }) => platform.listHooks(),
  handler: ({ hooks, leftOut }) => {
    if (leftOut > 0) {
      console.error(
        `Left out: ${formatCount(leftOut, 'webhook')} that the platform listed without a usable id or target.`,
      );
    }
    return tellHooks(hooks);
  },
});

const removeCommand = platformCommand({
  command: 'remove <id>',
  describe: 'Delete a webhook',
  args: { id: ID },
  ask: (asked, { id }) => removeHook(asked, id),
  handler: (_, { id }) => ({ data: { removed: id }, lines: `Removed ${id}.` }),
});

const rotateCommand = command({
  command: 'rotate <id>',
  describe:
    'Give a webhook a new secret: registers a new webhook, then deletes the old one. The platform does not return the limits of the old one: give them again',
  args: { id: ID },
  options: { ...LIMIT_OPTIONS, ...PLATFORM_OPTIONS, ...JSON_OPTION },
  handler: async (args) => {
    const { id, json } = args;
    const limits = limitsOf(args);
    const environment = commandEnvironment();
    const secret = await secretOf(args);
    const restarts: Rotation[] = [];
    /** Prints the new hook before the old one is removed, so that no id gets lost. */
    const onRegistered = (rotation: Rotation): void => {
      say(registered(rotation.hook, true, { restartListener: rotation.isOwn }), json);
      if (rotation.isOwn && !json) restarts.push(rotation);
    };
    try {
      await rotateHook(id, {
        ...args,
        ...TELLS_WAITS,
        ...limits,
        environment,
        secret,
        onRegistered,
      });
      if (!json) console.log(`Removed ${printable(id)}.`);
    } finally {
      for (const { others } of restarts) console.error(restartAdvice(others));
    }
  },
});

/** The advice after a hook of our own listener got another secret. */
function restartAdvice(others: readonly string[]): string {
  const what =
    others.length === 0
      ? 'Restart it'
      : `Rotate ${others.map(printable).join(', ')} as well, which still have the old secret, then restart it`;
  return `The listener of this state refuses these events until it runs with the new secret. ${what} soon: the platform repeats what was refused only for a while.`;
}

function limitsOf({ campaign, first, zap }: InferredOptionTypes<typeof LIMIT_OPTIONS>) {
  return { campaignId: campaign, isFirst: first ? true : undefined, zapId: zap };
}

/** The secret of the environment, or a typed one; undefined for no secret. */
async function secretOf({ url, dialect }: PlatformArguments): Promise<string | undefined> {
  // No user is asked for a secret that there is no use for.
  demandCalls(await loadDialect(dialect), 'hooks');
  const environment = commandEnvironment();
  const secret = environment.webhookSecret();
  if (secret !== undefined) return secret;
  const typed = await promptSecret('Secret that the platform is to send back (empty for none): ');
  if (typed !== undefined && url === undefined) environment.refuseTyped();
  if (typed?.trim() !== '') return typed;
  throw wrongUse('The secret that was typed is blank. Type one, or nothing at all.');
}

function registered(hook: Hook, hasSecret: boolean, more: object = {}): Said {
  const what = hook.type ?? 'every event';
  const how = hasSecret ? 'with a secret, which is not shown again' : 'without a secret';
  const text = `Registered ${hook.id} for ${what} at ${hook.targetUrl}, ${how}.`;
  return { data: { ...hookData(hook), hasSecret, ...more }, lines: text };
}

export const hooksCommand = command({
  commands: [addCommand, listCommand, removeCommand, rotateCommand],
});
