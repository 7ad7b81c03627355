// The key that we give the platform to hand back. It shows that a webhook is genuine, and which enrichment it is about,
// even if no ticket is known: a send that may have been accepted is not repeated, but its webhook still settles it.

/**
 * - `enrichment`: one enrichment; part of its callback URL, or in the metadata of its bulk item
 * - `batch`: one bulk call; its items carry keys of their own
 * - `hook`: the registered hook of an account
 */
export type CorrelationKind = 'enrichment' | 'batch' | 'hook';

export interface CorrelationKey {
  readonly kind: CorrelationKind;
  /** The short name of the account, as `Keyring.scopeOf` gives it: its runs settle deliveries under the key. */
  readonly scope: string;
  /** The id of the enrichment; of a batch the id of its first enrichment; 0 for a hook. */
  readonly id: number;
}

/** Makes keys that no other party can make, and recognises them without looking anything up. */
export interface Keyring {
  scopeOf(account: string): string;
  /** The key as text for a URL: letters, digits, `.`, `-` and `_`, at most 80 characters. */
  seal(key: CorrelationKey): string;
  /** The key of a text; undefined if this keyring did not seal it. Every wrong text takes the same time. */
  open(text: string): CorrelationKey | undefined;
}
