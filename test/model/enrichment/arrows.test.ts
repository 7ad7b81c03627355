import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  canMove,
  type EnrichmentState,
  listArrows,
  STATES,
} from '../../../src/model/enrichment/arrows.js';

/** Copied by hand from the documentation (docs/internals/enrichments.md, The life of an enrichment), not from the source. */
const ARROWS: Readonly<Record<EnrichmentState, EnrichmentState[]>> = {
  queued: ['submitting'],
  submitting: ['queued', 'awaiting', 'failed', 'uncertain'],
  awaiting: ['found', 'not_found', 'failed', 'timed_out'],
  found: ['failed'],
  not_found: ['awaiting'],
  failed: ['awaiting'],
  timed_out: ['awaiting', 'found', 'not_found', 'failed'],
  uncertain: ['queued', 'awaiting', 'found', 'not_found', 'failed'],
};

describe.each(STATES)('from %s', (from) => {
  it.each(STATES.map((to) => ({ to, may: ARROWS[from].includes(to) })))(
    'to $to may be gone: $may',
    ({ to, may }) => {
      expect(canMove(from, to)).toBe(may);
    },
  );
});

it('nothing is sent without being submitting first, and a paid ticket is never queued again', () => {
  expect(STATES.filter((from) => canMove(from, 'awaiting'))).not.toContain('queued');
  expect(STATES.filter((from) => canMove(from, 'queued'))).toEqual(['submitting', 'uncertain']);
});

it('every state can be reached from queued', () => {
  const reached = new Set<EnrichmentState>(['queued']);
  for (const from of reached) {
    for (const to of STATES.filter((state) => canMove(from, state))) reached.add(to);
  }
  expect(reached.size).toBe(STATES.length);
});

it('the diagram in the documentation shows these arrows, and no other', () => {
  const text = readFileSync('docs/internals/enrichments.md', 'utf8');
  const lines = [...text.matchAll(/^ {4}(\w+) --> (\w+)$/gm)];
  expect(lines.map(([, from, to]) => `${from}>${to}`).sort()).toEqual(listArrows().sort());
});
