// What a run tells whoever watches it. Numbers and ids, never persons.
import type { Outcome } from './enrichment.js';
import type { MappedInput } from './mapping.js';
import type { IngestCount } from './ports/store.js';
import type { Run } from './run.js';

export type RunEvent =
  | { readonly kind: 'started'; readonly run: Run; readonly isContinued: boolean }
  /** Work that an earlier process left: sent but not answered, and not sent yet. */
  | { readonly kind: 'resumed'; readonly queued: number; readonly awaiting: number }
  | { readonly kind: 'mapped'; readonly mapping: readonly MappedInput[] }
  /** `position` leads are read so far. */
  | { readonly kind: 'read'; readonly position: number; readonly count: IngestCount }
  | { readonly kind: 'reading-ended'; readonly leads: number }
  | { readonly kind: 'submitted'; readonly count: number }
  | { readonly kind: 'settled'; readonly outcome: Outcome; readonly count: number }
  | { readonly kind: 'warned'; readonly message: string }
  | { readonly kind: 'draining' }
  | { readonly kind: 'exported'; readonly out: string; readonly rows: number };

export type RunObserver = (event: RunEvent) => void;
