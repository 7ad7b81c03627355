// Contact lists as the store remembers them. Creating a list is not repeatable, so it follows the rules of a paid call:
// intent, id, and never a second time by itself. A part of the store's contract.

/**
 * - `wanted`: nothing was sent
 * - `creating`: the request is about to leave, or has left
 * - `created`: the list's id is known
 * - `uncertain`: it may have been created, and its id is unknown
 */
export type StoredListState = 'wanted' | 'creating' | 'created' | 'uncertain';

export interface StoredList {
  readonly id: number;
  /** The run whose leads go into the list; null for a list that was created by hand. */
  readonly runId: number | null;
  readonly name: string;
  readonly state: StoredListState;
  /** `clt_…`; null while it is not known. */
  readonly listId: string | null;
  readonly reason: string | null;
  /** Leads of the run up to this position have been looked at, and the chosen ones are in the list. */
  readonly position: number;
  readonly added: number;
  readonly alreadyIn: number;
}

export type ListRecord =
  /** `isStated`: the user says so, whatever was known of it. */
  | { readonly kind: 'created'; readonly listId: string; readonly isStated?: boolean }
  /** Certainly not created: it is wanted again. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'uncertain'; readonly reason: string };

export interface ContactListStore {
  /** The run's list, or a new one in state `wanted` under this name. An existing list keeps its name. */
  wantList(runId: number, name: string): Promise<StoredList>;
  findList(runId: number): Promise<StoredList | null>;
  /** Makes `creating` of `wanted`, durably before this resolves. False if it is in another state. */
  beginList(id: number): Promise<boolean>;
  /**
   * Records the outcome of a `creating` list, or the id that the user states. Returns false for a list in another state,
   * and where the user states the id of one into which leads were put: they stay as they are. Only for the process that
   * holds the lock of the run's job.
   */
  recordList(id: number, record: ListRecord): Promise<boolean>;
  /**
   * Notes that the leads up to this position are in the list; `added` and `alreadyIn` are added to the earlier counts.
   * A verb that puts leads back to work sets all three to 0.
   */
  advanceList(
    id: number,
    progress: { readonly position: number; readonly added: number; readonly alreadyIn: number },
  ): Promise<void>;
}
