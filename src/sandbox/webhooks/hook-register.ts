// The registered hooks (docs/platform-api.md, Webhook): switching them off, and keeping their secrets in the ledger
// file, encrypted as on the platform (docs/platform-api.md, Webhook secret).
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { SluiceError } from '../../model/errors.js';
import { hashText } from '../ledger/fingerprint-request.js';
import type { HookRecord, WriteLines } from '../ledger/ledger-lines.js';

/** The limit of hooks. None is documented; a client that registers more forgets to delete them. */
export const HOOKS_MAX = 100;
/** A hook is switched off after this many deliveries in a row that failed all their attempts. */
const FAILURES_MAX = 10;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The fields that a client gives for a hook; `secret` in plain text. */
export type NewHook = Omit<HookRecord, 'id' | 'createdAt'>;

export interface Hook extends HookRecord {
  /** `off` after repeated failures, and stays off: a client deletes the hook and registers another. */
  state: 'on' | 'off' | 'deleted';
  failuresInARow: number;
}

interface HookRegisterOptions {
  readonly seed: number;
  readonly now: () => number;
  readonly secrets: SecretBox;
  readonly write: WriteLines;
}

export class HookRegister {
  readonly #hooks = new Map<string, Hook>();
  /** The list, cached because it is read for every result and changes rarely. */
  #list: readonly Hook[] | undefined;
  /** The number of registered hooks; deleted ones count, so that no id is used twice. */
  #registered = 0;

  constructor(private readonly options: HookRegisterOptions) {}

  /** Registers a hook; undefined when there are `HOOKS_MAX` already. */
  register(wish: NewHook): Hook | undefined {
    const { seed, now, secrets, write } = this.options;
    if (this.#hooks.size >= HOOKS_MAX) return undefined;
    const id = `hoo_${hashText(`hook\n${seed}\n${this.#registered}`)}`;
    const record = { ...wish, id, createdAt: Math.floor(now()) };
    const sealed = wish.secret === undefined ? {} : { secret: secrets.seal(wish.secret) };
    write([{ kind: 'hook', ...record, ...sealed }]);
    return this.#enter(record);
  }

  /** Adds a hook of the ledger file, with its secret still encrypted. */
  restore(record: HookRecord): void {
    const { secret: sealed, ...rest } = record;
    const secret = sealed === undefined ? undefined : this.options.secrets.open(sealed);
    if (sealed !== undefined && secret === undefined) {
      const message = `The secret of hook ${record.id} in the sandbox ledger cannot be read with this password. Use the password it was registered under, or another ledger file.`;
      throw new SluiceError('store', message, { hook: record.id });
    }
    this.#enter({ ...rest, ...(secret !== undefined && { secret }) });
  }

  /** Deletes a hook, which gets no delivery any more; undefined for an unknown id. */
  delete(id: string): Hook | undefined {
    const hook = this.#hooks.get(id);
    if (hook !== undefined) this.options.write([{ kind: 'hook-deleted', id }]);
    this.forget(id);
    return hook;
  }

  forget(id: string): void {
    const hook = this.#hooks.get(id);
    if (hook !== undefined) hook.state = 'deleted';
    this.#hooks.delete(id);
    this.#list = undefined;
  }

  /** Call it once for every delivery that reached its hook, or failed all its attempts. */
  noteEnd(hook: Hook, isDelivered: boolean): void {
    hook.failuresInARow = isDelivered ? 0 : hook.failuresInARow + 1;
    if (hook.state !== 'on' || hook.failuresInARow < FAILURES_MAX) return;
    hook.state = 'off';
    try {
      this.options.write([{ kind: 'hook-off', id: hook.id }]);
    } catch {
      // The disk is full: after a restart the hook is on again, and soon off.
    }
  }

  switchOff(id: string): void {
    const hook = this.#hooks.get(id);
    if (hook !== undefined) hook.state = 'off';
  }

  /** The hooks in the order of registration. */
  list(): readonly Hook[] {
    return (this.#list ??= [...this.#hooks.values()]);
  }

  get size(): number {
    return this.#hooks.size;
  }

  #enter(record: HookRecord): Hook {
    const hook: Hook = { ...record, state: 'on', failuresInARow: 0 };
    this.#hooks.set(hook.id, hook);
    this.#list = undefined;
    this.#registered += 1;
    return hook;
  }
}

export interface SecretBox {
  seal(secret: string): string;
  /** Opens a sealed secret; undefined if it was sealed under another password, or is damaged. */
  open(sealed: string): string | undefined;
}

/** AES-256-GCM under a key of the password; the key is made when first needed, because that takes a while. */
export function createSecretBox(password: string): SecretBox {
  let key: Buffer | undefined;
  const getKey = (): Buffer => (key ??= scryptSync(password, 'sluice sandbox hooks', 32));
  return {
    seal(secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', getKey(), iv);
      const text = [cipher.update(secret, 'utf8'), cipher.final()];
      return Buffer.concat([iv, ...text, cipher.getAuthTag()]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', getKey(), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
