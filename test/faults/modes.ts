// The ways in which enrichments go out and results come back.

export interface Mode {
  readonly name: string;
  readonly submit: 'single' | 'bulk';
  readonly collect: 'poll' | 'webhook';
  /** Results come in the answers to the submissions alone. */
  readonly isAtOnce?: true;
  /** The state is in PostgreSQL. */
  readonly isDatabase?: true;
}

export const MODES: readonly Mode[] = [
  { name: 'single + poll', submit: 'single', collect: 'poll' },
  { name: 'single + webhook', submit: 'single', collect: 'webhook' },
  { name: 'bulk + poll', submit: 'bulk', collect: 'poll' },
  { name: 'bulk + webhook', submit: 'bulk', collect: 'webhook' },
];

export const AT_ONCE_MODES: readonly Mode[] = [
  { name: 'single, answered at once', submit: 'single', collect: 'poll', isAtOnce: true },
  { name: 'bulk, answered at once', submit: 'bulk', collect: 'poll', isAtOnce: true },
];

export const DATABASE_MODES: readonly Mode[] = [
  { name: 'single + webhook, PostgreSQL', submit: 'single', collect: 'webhook', isDatabase: true },
  { name: 'bulk + poll, PostgreSQL', submit: 'bulk', collect: 'poll', isDatabase: true },
];
