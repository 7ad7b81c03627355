// The registered hooks (docs/platform-api.md, Webhook). They last as long as the process.
import { hashText } from '../ledger/fingerprint-request.js';

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
  isDeleted: boolean;
}

interface HookRegisterOptions {
  readonly seed: number;
  readonly now: () => number;
}

export class HookRegister {
  /** In the order of registration. */
  #hooks: readonly Hook[] = [];
  /** Deleted ones count, so that no id is used twice. */
  #registered = 0;

  constructor(private readonly options: HookRegisterOptions) {}

  register(wish: NewHook): Hook {
    const { seed, now } = this.options;
    const id = `hoo_${hashText(`hook\n${seed}\n${this.#registered}`)}`;
    const hook: Hook = { ...wish, id, createdAt: Math.floor(now()), isDeleted: false };
    this.#hooks = [...this.#hooks, hook];
    this.#registered += 1;
    return hook;
  }

  /** Deletes a hook, which gets no delivery any more; undefined for an unknown id. */
  delete(id: string): Hook | undefined {
    const hook = this.#hooks.find((one) => one.id === id);
    if (hook !== undefined) hook.isDeleted = true;
    this.#hooks = this.#hooks.filter((one) => one !== hook);
    return hook;
  }

  list(): readonly Hook[] {
    return this.#hooks;
  }
}
