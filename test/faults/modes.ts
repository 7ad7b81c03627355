// The ways in which enrichments go out and results come back.

export interface Mode {
  readonly name: string;
  readonly submit: 'single' | 'bulk';
  readonly collect: 'poll' | 'webhook';
  /** Results come in the answers to the submissions alone. */
  readonly isAtOnce?: true;
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
