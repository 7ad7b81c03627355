// The registered hooks (docs/platform-api.md, Webhook), and switching them off. They last as long as the process.
import { hashText } from '../ledger/fingerprint-request.js';

/** The limit of hooks. None is documented; a client that registers more forgets to delete them. */
export const HOOKS_MAX = 100;
/** A hook is switched off after this many deliveries in a row that failed all their attempts. */
const FAILURES_MAX = 10;

/** The fields that a client gives for a hook. */
export interface NewHook {
  readonly targetUrl: string;
  readonly type?: string;
  readonly secret?: string;
  readonly campaignId?: string;
  readonly isFirst?: boolean;
  readonly zapId?: string;
}

export interface Hook extends NewHook {
  readonly id: string;
  readonly createdAt: number;
  /** `off` after repeated failures, and stays off: a client deletes the hook and registers another. */
  state: 'on' | 'off' | 'deleted';
  failuresInARow: number;
}

interface HookRegisterOptions {
  readonly seed: number;
  readonly now: () => number;
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
    const { seed, now } = this.options;
    if (this.#hooks.size >= HOOKS_MAX) return undefined;
    const id = `hoo_${hashText(`hook\n${seed}\n${this.#registered}`)}`;
    const hook: Hook = {
      ...wish,
      id,
      createdAt: Math.floor(now()),
      state: 'on',
      failuresInARow: 0,
    };
    this.#hooks.set(id, hook);
    this.#list = undefined;
    this.#registered += 1;
    return hook;
  }

  /** Deletes a hook, which gets no delivery any more; undefined for an unknown id. */
  delete(id: string): Hook | undefined {
    const hook = this.#hooks.get(id);
    if (hook !== undefined) hook.state = 'deleted';
    this.#hooks.delete(id);
    this.#list = undefined;
    return hook;
  }

  /** Call it once for every delivery that reached its hook, or failed all its attempts. */
  noteEnd(hook: Hook, isDelivered: boolean): void {
    hook.failuresInARow = isDelivered ? 0 : hook.failuresInARow + 1;
    if (hook.state === 'on' && hook.failuresInARow >= FAILURES_MAX) hook.state = 'off';
  }

  /** The hooks in the order of registration. */
  list(): readonly Hook[] {
    return (this.#list ??= [...this.#hooks.values()]);
  }

  get size(): number {
    return this.#hooks.size;
  }
}
