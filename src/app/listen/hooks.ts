// The hooks of an account: registers, finds, renews and removes them. The address of a hook that delivers to our
// listener ends in a key of the account.
import { loadDialect } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { eventOfWire, eventOnWire, resultTypes } from '../../dialect/events.js';
import type { Keyring } from '../../model/correlation-key.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import type { Hook, HookWish } from '../../model/resources/resources.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { isPublicUrl, isTargetUrl } from '../../model/text/address.js';
import { printable } from '../../model/text/printable.js';
import type { Platform } from '../../ports/platform.js';
import { type AskedPlatform, askPlatform, type PlatformWish } from '../platform/ask-platform.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import { openKeyring } from '../state/state-file.js';

/** The platform, the account, the state and the secret. */
export interface HookOptions extends PlatformWish {
  readonly environment?: Environment | undefined;
  /** The secret that the platform sends back with each delivery. Default: the webhook secret of the environment. */
  readonly secret?: string | undefined;
}

/** The limits of a hook's events, as `POST /hooks` takes them. */
export type HookLimits = Pick<HookWish, 'campaignId' | 'isFirst' | 'zapId'>;

/** A hook to register. It delivers to either `target` or `publicUrl`. */
export interface HookOrder extends HookLimits, Pick<HookWish, 'type'> {
  /** The address; any address. */
  readonly target?: string | undefined;
  /** The address at which the platform reaches the state's listener. */
  readonly publicUrl?: string | undefined;
}

/** @throws SluiceError `usage` for an address, a type of event or a limit that cannot be registered */
export function checkHookOrder({ target, publicUrl, type }: HookOrder, dialect: Dialect): void {
  if ((target === undefined) === (publicUrl === undefined)) {
    throw wrongUse(
      'Say where the webhook delivers: an address, or --public-url for the listener of this state.',
    );
  }
  if (target !== undefined && !isTargetUrl(target)) {
    throw wrongUse(
      'The target of a webhook is an http(s) address without credentials, fragment or blanks, like https://host/path.',
    );
  }
  if (publicUrl !== undefined && !isPublicUrl(publicUrl)) {
    throw wrongUse(
      '--public-url is an http(s) address without credentials, query, fragment or blanks, like https://host/path.',
    );
  }
  const judged = type === undefined ? undefined : judgeEventType(eventOfWire(type, dialect));
  if (judged === undefined || judged.kind === 'known') return;
  throw wrongUse(judged.problem);
}

/**
 * Registers a hook; its type is our name of an event, or the platform's.
 * @throws SluiceError `usage` as `checkHookOrder`; `platform`, which says if the hook may have been registered
 * nevertheless
 */
export async function addHook(order: HookOrder, options: HookOptions): Promise<Hook> {
  checkHookOrder(order, await loadDialect(options.dialect));
  const { target, publicUrl = '', ...wish } = order;
  const { environment = NO_ENVIRONMENT } = options;
  const { secret = environment.webhookSecret() } = options;
  return askPlatform(options, environment, async ({ platform, store, account }) => {
    const keyring = await openKeyring(store, secret);
    const ownUrl = publicUrl.replace(/(?<!\/)\/+$/, '');
    const targetUrl = target ?? hookAddress(ownUrl, keyring, account);
    return platform.addHook({ ...wish, targetUrl, secret }).catch((error: unknown) => {
      throw withAdvice(
        error,
        'Whether the webhook was registered is not known: look with "sluice hooks list" before you add it again.',
      );
    });
  });
}

/** @throws SluiceError `usage` if there is no such hook; `platform` */
export async function removeHook({ platform }: AskedPlatform, id: string): Promise<void> {
  const isRemoved = await platform.removeHook(id).catch((error: unknown) => {
    throw withAdvice(
      error,
      `Whether ${printable(id)} was removed is not known: "sluice hooks list" shows it.`,
    );
  });
  if (!isRemoved) throw unknownHook(id);
}

export interface RotateOptions extends HookOptions, HookLimits {
  /** Called when the new hook is registered and the old one is not removed yet. */
  readonly onRegistered?: ((rotation: Rotation) => void) | undefined;
}

export interface Rotation {
  /** The new hook. */
  readonly hook: Hook;
  /**
   * Whether it delivers to the state's listener, which refuses its deliveries until it runs with the new secret.
   */
  readonly isOwn: boolean;
  /** The ids of that listener's other hooks, which still have another secret. */
  readonly others: readonly string[];
}

/**
 * Gives a hook a new secret: registers a new hook, then removes the old one, so that there is always one. The platform
 * does not return the limits of the old hook, so those of the options are used.
 * @throws SluiceError `usage` without a secret, or for an unknown hook; `platform`, which says which hooks exist now
 */
export async function rotateHook(id: string, options: RotateOptions): Promise<Rotation> {
  const { environment = NO_ENVIRONMENT, campaignId, isFirst, zapId, onRegistered } = options;
  const { secret = environment.webhookSecret() } = options;
  if (secret === undefined) {
    throw wrongUse(
      'The new secret is missing: set SLUICE_WEBHOOK_SECRET, or SLUICE_WEBHOOK_SECRET_FILE to a file that holds it.',
    );
  }
  return askPlatform(options, environment, async ({ platform, store, account }) => {
    const { hooks } = await platform.listHooks();
    const old = hooks.find((one) => one.id === id);
    if (old === undefined) throw unknownHook(id);
    const keyring = await openKeyring(store, secret);
    const renewed = ({ targetUrl }: Hook) => renewedAddress(targetUrl, keyring, account);
    const hasOldSecret = (hook: Hook) => renewed(hook) !== hook.targetUrl;
    const wish = { campaignId, isFirst, zapId, targetUrl: renewed(old), type: old.type, secret };
    const hook = await platform.addHook(wish).catch((error: unknown) => {
      throw withAdvice(
        error,
        `Whether a new webhook was registered is not known, and ${printable(id)} is still there: look with "sluice hooks list" before you rotate it again.`,
      );
    });
    const others = hooks.filter((one) => one.id !== id && hasOldSecret(one));
    const rotation = { hook, isOwn: hasOldSecret(old), others: others.map((one) => one.id) };
    onRegistered?.(rotation);
    await removeOld(platform, id, hook.id);
    return rotation;
  });
}

/** @throws SluiceError that says which hooks exist now, and what to do */
async function removeOld(platform: Platform, id: string, newId: string): Promise<void> {
  try {
    await platform.removeHook(id);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const is = isUncertain(error) ? 'may still be' : 'is still';
    const advice = `${newId} is registered, and ${printable(id)} ${is} there: remove it with "sluice hooks remove ${printable(id)}", and do not rotate it again.`;
    throw error.amended(advice);
  }
}

/**
 * Makes sure that results are delivered to `targetUrl`, by one hook for each type that brings them, shared by all runs.
 * The address holds a key that depends on the secret, so a hook with another secret has another address.
 * @throws SluiceError `platform`
 */
export async function ensureHooks(
  platform: Platform,
  dialect: Dialect,
  wish: { readonly targetUrl: string; readonly secret: string; readonly observe: RunObserver },
  signal: AbortSignal,
): Promise<void> {
  const { observe, secret, targetUrl } = wish;
  const { hooks } = await platform.listHooks(signal);
  const there = hooks.filter((hook) => hook.targetUrl === targetUrl);
  for (const type of resultTypes(dialect)) {
    const isThere = there.some(
      (hook) => hook.type === undefined || eventOnWire(hook.type, dialect) === type,
    );
    if (isThere) continue;
    const { id } = await platform.addHook(
      { targetUrl, type: eventOfWire(type, dialect), secret },
      signal,
    );
    observe({ kind: 'hook.added', hook: id, type });
  }
}

/** `publicUrl` is the address at which the platform reaches the listener, without a slash at the end. */
export function hookAddress(publicUrl: string, keyring: Keyring, account: string): string {
  return `${publicUrl}/${hookKey(keyring, account)}`;
}

/**
 * The address for a hook that is to have the keyring's secret. The key in our addresses depends on the secret and is
 * replaced; the account in the key shows that an address is ours. Any other address stays as it is.
 */
export function renewedAddress(targetUrl: string, keyring: Keyring, account: string): string {
  const key = hookKey(keyring, account);
  const start = targetUrl.lastIndexOf('/') + 1;
  const isOurs = targetUrl.startsWith(key.slice(0, key.lastIndexOf('.') + 1), start);
  return isOurs ? targetUrl.slice(0, start) + key : targetUrl;
}

function hookKey(keyring: Keyring, account: string): string {
  return keyring.seal({ kind: 'hook', scope: keyring.scopeOf(account), id: 0 });
}

function withAdvice(error: unknown, advice: string): unknown {
  return isUncertain(error) ? error.amended(advice) : error;
}

function isUncertain(error: unknown): error is SluiceError {
  return error instanceof SluiceError && error.facts['uncertain'] === true;
}

function unknownHook(id: string): SluiceError {
  return wrongUse(
    `There is no webhook ${printable(id)}. "sluice hooks list" lists the existing ones.`,
  );
}
