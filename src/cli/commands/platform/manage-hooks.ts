// What `sluice hooks` does, once its command line is understood.

import type { Environment } from '../../../app/environment.js';
import { hookAddress, renewedAddress } from '../../../app/listen/hook-address.js';
import { askPlatform } from '../../../app/platform/ask-platform.js';
import { createKeyring } from '../../../identity/keyring.js';
import { SluiceError } from '../../../model/errors.js';
import { judgeEventType } from '../../../model/events/event-catalogue.js';
import type { Hook, HookWish } from '../../../model/platform/resources.js';
import { isPublicUrl, isTargetUrl } from '../../../model/text/address.js';
import { printable, printableJson } from '../../../model/text/printable.js';
import type { Platform } from '../../../ports/platform.js';
import { promptSecret } from '../../ask/prompt-secret.js';
import { commandEnvironment } from '../../command-environment.js';
import type { PlatformArguments } from '../../flags/platform-flags.js';
import { refuseBlank } from '../../flags/refuse-blank.js';
import { formatCount, formatTable } from '../../print/format.js';

/** Where a webhook delivers: somebody's address, or the listener of the state file. */
export interface HookTarget {
  readonly target: string | undefined;
  /** Of the listener, from outside. */
  readonly 'public-url': string | undefined;
}

/** What of the events a hook is limited to, as `POST /hooks` takes it. */
type HookLimits = Pick<HookWish, 'campaignId' | 'isFirst' | 'zapId'>;

/** Checks everything before anybody is asked anything. */
export async function addHook(
  { target, 'public-url': publicUrl }: HookTarget,
  args: PlatformArguments,
  wish: HookLimits & Pick<HookWish, 'type'>,
): Promise<void> {
  if ((target === undefined) === (publicUrl === undefined)) {
    throw new SluiceError(
      'usage',
      'Say where the webhook delivers: an address, or --public-url for the listener of this state file.',
    );
  }
  if (target !== undefined && !isTargetUrl(target)) {
    throw new SluiceError(
      'usage',
      'The target of a webhook is an http(s) address without credentials, fragment or blanks, like https://host/path.',
    );
  }
  if (publicUrl !== undefined && !isPublicUrl(publicUrl)) {
    throw new SluiceError(
      'usage',
      '--public-url is an http(s) address without credentials, query, fragment or blanks, like https://host/path.',
    );
  }
  refuseBlankLimits(wish);
  refuseBlank({ '--type': wish.type });
  if (wish.type !== undefined) refuseUnknownType(wish.type);
  const environment = commandEnvironment();
  const secret = await secretOf(environment, args);
  const hook = await askPlatform(args, environment, async ({ platform, store, account }) => {
    const keyring = createKeyring(await store.signingKey(), secret);
    const ownUrl = (publicUrl ?? '').replace(/(?<!\/)\/+$/, '');
    const targetUrl = target ?? hookAddress(ownUrl, keyring, account);
    return platform.addHook({ ...wish, targetUrl, secret }).catch((error: unknown) => {
      throw withState(
        error,
        'Whether the webhook was registered is not known: look with "sluice hooks list" before you add it again.',
      );
    });
  });
  printHook(hook, secret, args);
}

export async function listHooks(args: PlatformArguments): Promise<void> {
  const { hooks, leftOut } = await askPlatform(args, commandEnvironment(), ({ platform }) =>
    platform.listHooks(),
  );
  if (leftOut > 0) {
    console.error(
      `Left out: ${formatCount(leftOut, 'webhook')} that the platform told without a usable id or target.`,
    );
  }
  if (args.json) {
    for (const hook of hooks) console.log(printableJson(JSON.stringify(hookJson(hook))));
    return;
  }
  const rows = hooks.map(({ id, type, targetUrl, createdAt }) => [
    id,
    type ?? '(every event)',
    createdAt ?? '',
    targetUrl,
  ]);
  for (const line of formatTable(['hook', 'type', 'created', 'target'], rows)) console.log(line);
}

export async function removeHook(id: string, args: PlatformArguments): Promise<void> {
  refuseBlank({ [ID_NAME]: id });
  const isRemoved = await askPlatform(args, commandEnvironment(), ({ platform }) =>
    platform.removeHook(id).catch((error: unknown) => {
      throw withState(
        error,
        `Whether ${printable(id)} was removed is not known: "sluice hooks list" tells.`,
      );
    }),
  );
  if (!isRemoved) throw unknownHook(id);
  console.log(args.json ? JSON.stringify({ removed: id }) : `Removed ${printable(id)}.`);
}

/** The new one is there, and told, before the old one goes: there is always one, and no id gets lost. */
export async function rotateHook(
  id: string,
  args: PlatformArguments,
  limits: HookLimits,
): Promise<void> {
  refuseBlank({ [ID_NAME]: id });
  refuseBlankLimits(limits);
  const environment = commandEnvironment();
  const secret = await secretOf(environment, args);
  if (secret === undefined) {
    throw new SluiceError(
      'usage',
      'Nothing says the new secret: set SLUICE_WEBHOOK_SECRET, or SLUICE_WEBHOOK_SECRET_FILE to a file that holds it.',
      { hook: id },
    );
  }
  await askPlatform(args, environment, async ({ platform, store, account }) => {
    const { hooks } = await platform.listHooks();
    const old = hooks.find((one) => one.id === id);
    if (old === undefined) throw unknownHook(id);
    const keyring = createKeyring(await store.signingKey(), secret);
    const renewed = ({ targetUrl }: Hook) => renewedAddress(targetUrl, keyring, account);
    const hasOldSecret = (hook: Hook) => renewed(hook) !== hook.targetUrl;
    const { type } = old;
    const hook = await platform
      .addHook({ ...limits, targetUrl: renewed(old), type, secret })
      .catch((error: unknown) => {
        throw withState(
          error,
          `Whether a new webhook was registered is not known, and ${printable(id)} is still there: look with "sluice hooks list" before you rotate it again.`,
        );
      });
    const isOwn = hasOldSecret(old);
    printHook(hook, secret, args, { restart_listener: isOwn });
    try {
      await removeOld(platform, id, hook.id);
      if (!args.json) console.log(`Removed ${printable(id)}.`);
    } finally {
      const others = hooks.filter((one) => one.id !== id && hasOldSecret(one));
      if (isOwn && !args.json) printListener(others.map((one) => one.id));
    }
  });
}

/** @throws SluiceError that says what there is now, and what to do about it */
async function removeOld(
  platform: Pick<Platform, 'removeHook'>,
  id: string,
  newId: string,
): Promise<void> {
  try {
    await platform.removeHook(id);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const is = isUncertain(error) ? 'may still be' : 'is still';
    const advice = `${newId} is registered, and ${printable(id)} ${is} there: remove it with "sluice hooks remove ${printable(id)}", and do not rotate it again.`;
    throw error.amended(advice, { hook: newId, old: id });
  }
}

/** What has to be done after a hook of our own listener has another secret. */
function printListener(otherIds: readonly string[]): void {
  const what =
    otherIds.length === 0
      ? 'Restart it'
      : `Rotate ${otherIds.map(printable).join(', ')} as well, which still have the old one, then restart it`;
  console.error(
    `The listener of this state file refuses these events until it runs with the new secret. ${what} soon: the platform repeats what was refused only for a while.`,
  );
}

/** A failure that may have happened after all, with what that means. */
function withState(error: unknown, state: string): unknown {
  return isUncertain(error) ? error.amended(state) : error;
}

function isUncertain(error: unknown): error is SluiceError {
  return error instanceof SluiceError && error.facts['uncertain'] === true;
}

const ID_NAME = 'The id of the webhook';

function refuseBlankLimits({ campaignId, zapId }: HookLimits): void {
  refuseBlank({ '--campaign': campaignId, '--zap': zapId });
}

/** @throws SluiceError `usage` naming the replacement, or the nearest names */
function refuseUnknownType(type: string): void {
  const judged = judgeEventType(type);
  if (judged.kind === 'known') return;
  throw new SluiceError('usage', judged.problem, { type });
}

async function secretOf(
  environment: Environment,
  { url }: PlatformArguments,
): Promise<string | undefined> {
  const secret = environment.webhookSecret();
  if (secret !== undefined) return secret;
  const typed = await promptSecret('Secret that the platform shall send back (empty for none): ');
  if (typed !== undefined && url === undefined) environment.refuseTyped();
  if (typed?.trim() !== '') return typed;
  throw new SluiceError(
    'usage',
    'The secret that was typed is blank. Type one, or nothing at all.',
  );
}

function printHook(
  hook: Hook,
  secret: string | undefined,
  { json }: PlatformArguments,
  more: object = {},
): void {
  if (json) {
    console.log(
      printableJson(
        JSON.stringify({ ...hookJson(hook), has_secret: secret !== undefined, ...more }),
      ),
    );
    return;
  }
  const what = hook.type ?? 'every event';
  const how = secret === undefined ? 'without a secret' : 'with a secret, which is not shown again';
  console.log(printable(`Registered ${hook.id} for ${what} at ${hook.targetUrl}, ${how}.`));
}

function hookJson({ id, targetUrl, type, createdAt }: Hook): object {
  return { hook: id, type: type ?? null, target: targetUrl, created_at: createdAt ?? null };
}

function unknownHook(id: string): SluiceError {
  return new SluiceError(
    'usage',
    `There is no webhook ${printable(id)}. "sluice hooks list" lists those there are.`,
    { hook: id },
  );
}
