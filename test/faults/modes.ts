// The ways in which enrichments go out and results come back.

export interface Mode {
  readonly name: string;
  readonly submit: 'single' | 'bulk';
  readonly collect: 'poll' | 'webhook';
}

export const MODES: readonly Mode[] = [
  { name: 'single + poll', submit: 'single', collect: 'poll' },
  { name: 'single + webhook', submit: 'single', collect: 'webhook' },
  { name: 'bulk + poll', submit: 'bulk', collect: 'poll' },
  { name: 'bulk + webhook', submit: 'bulk', collect: 'webhook' },
];
