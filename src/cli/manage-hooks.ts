// What `sluice hooks` does, once its command line is understood.
import { askPlatform } from '../app/ask-platform.js';
import { type Environment, readEnvironment } from '../app/environment.js';
import { hookAddress, renewedAddress } from '../app/hook-address.js';
import { SluiceError } from '../domain/errors.js';
import { judgeEventType } from '../domain/event-catalogue.js';
import type { Hook, HookWish } from '../domain/hook.js';
import { isPublicUrl } from '../domain/listen-address.js';
import { createKeyring } from '../identity/keyring.js';
import { formatTable } from './format.js';
import type { PlatformArguments } from './platform-flags.js';
import { promptSecret } from './prompt-secret.js';
import { printable } from './summary.js';

/** Where a webhook delivers: somebody's address, or the listener of the state file. */
export interface HookTarget {
  readonly target: string | undefined;
  /** Of the listener, from outside. */
  readonly 'public-url': string | undefined;
}

/** Checks everything before anybody is asked anything. */
export async function addHook(
  { target, 'public-url': publicUrl }: HookTarget,
  args: PlatformArguments,
  wish: Omit<HookWish, 'targetUrl' | 'secret'>,
): Promise<void> {
  const address = target ?? publicUrl;
  if (address === undefined || (target !== undefined && publicUrl !== undefined)) {
    throw new SluiceError(
      'usage',
      'Say where the webhook delivers: an address, or --public-url for the listener of this state file.',
    );
  }
  if (!isPublicUrl(address)) {
    throw new SluiceError(
      'usage',
      'The target of a webhook is an http(s) address without credentials, query or fragment, like https://host/path.',
    );
  }
  if (wish.type !== undefined) refuseUnknownType(wish.type);
  const environment = readEnvironment();
  const secret = await secretOf(environment);
  const hook = await askPlatform(args, environment, async ({ platform, store, account }) => {
    const keyring = createKeyring(await store.signingKey(), secret);
    const own = hookAddress(address.replace(/\/+$/, ''), keyring, account);
    return platform.addHook({ ...wish, targetUrl: target ?? own, secret });
  });
  tellHook(hook, secret, args);
}

export async function listHooks(args: PlatformArguments): Promise<void> {
  const hooks = await askPlatform(args, readEnvironment(), ({ platform }) => platform.listHooks());
  if (args.json) {
    for (const hook of hooks) console.log(JSON.stringify(hookJson(hook)));
    return;
  }
  const rows = hooks.map(({ id, type, targetUrl, createdAt }) =>
    [id, type ?? '(every event)', createdAt ?? '', targetUrl].map(printable),
  );
  for (const line of formatTable(['hook', 'type', 'created', 'target'], rows)) console.log(line);
}

export async function removeHook(id: string, args: PlatformArguments): Promise<void> {
  const isRemoved = await askPlatform(args, readEnvironment(), ({ platform }) =>
    platform.removeHook(id),
  );
  if (!isRemoved) throw unknownHook(id);
  console.log(args.json ? JSON.stringify({ removed: id }) : `Removed ${printable(id)}.`);
}

/** The new one is there, and told, before the old one goes: no event falls between them, and no id gets lost. */
export async function rotateHook(
  id: string,
  args: PlatformArguments,
  limits: Pick<HookWish, 'campaignId' | 'isFirst' | 'zapId'>,
): Promise<void> {
  const environment = readEnvironment();
  const secret = await secretOf(environment);
  if (secret === undefined) {
    throw new SluiceError(
      'usage',
      'Nothing says the new secret: set SLUICE_WEBHOOK_SECRET, or SLUICE_WEBHOOK_SECRET_FILE to a file that holds it.',
      { hook: id },
    );
  }
  await askPlatform(args, environment, async ({ platform, store, account }) => {
    const old = (await platform.listHooks()).find((one) => one.id === id);
    if (old === undefined) throw unknownHook(id);
    const keyring = createKeyring(await store.signingKey(), secret);
    const targetUrl = renewedAddress(old.targetUrl, keyring, account);
    const { type } = old;
    tellHook(await platform.addHook({ ...limits, targetUrl, type, secret }), secret, args);
    await platform.removeHook(id);
  });
  if (!args.json) console.log(`Removed ${printable(id)}.`);
}

/** @throws SluiceError `usage` naming the replacement, or the nearest names */
function refuseUnknownType(type: string): void {
  const judged = judgeEventType(type);
  if (judged.kind === 'known') return;
  throw new SluiceError('usage', judged.problem, { type });
}

async function secretOf(environment: Environment): Promise<string | undefined> {
  const secret = environment.webhookSecret();
  if (secret !== undefined) return secret;
  return promptSecret('Secret that the platform shall send back (empty for none): ');
}

function tellHook(hook: Hook, secret: string | undefined, { json }: PlatformArguments): void {
  if (json) {
    console.log(JSON.stringify({ ...hookJson(hook), has_secret: secret !== undefined }));
    return;
  }
  const what = hook.type ?? 'every event';
  const how = secret === undefined ? 'without a secret' : 'with a secret, which is not shown again';
  console.log(`Registered ${hook.id} for ${what} at ${printable(hook.targetUrl)}, ${how}.`);
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
