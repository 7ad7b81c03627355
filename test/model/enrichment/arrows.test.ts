import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  canMove,
  type EnrichmentState,
  listArrows,
  STATES,
} from '../../../src/model/enrichment/arrows.js';

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
