import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../src/dialect/dialect.js';
import { eventOfWire, eventOnWire, resultTypes } from '../../src/dialect/events.js';

const NAMED = dialectSchema.parse({
  events: { enrichmentDone: 'person.enriched', emailsSent: 'mail.out' },
  answer: { webhook: { types: ['person.enriched', 'person.failed'] } },
});

describe('the names of events', () => {
  it.each([
    ['enrichmentDone', 'person.enriched'],
    ['enrichmentError', 'person.failed'],
    ['emailsSent', 'mail.out'],
    ['emailsOpened', 'emailsOpened'],
    ['person.enriched', 'person.enriched'],
  ])('%s is %s on the wire', (ours, theirs) => {
    expect(eventOnWire(ours, NAMED)).toBe(theirs);
  });

  it.each([
    ['person.enriched', 'enrichmentDone'],
    ['person.failed', 'enrichmentError'],
    ['mail.out', 'emailsSent'],
    ['emailsOpened', 'emailsOpened'],
  ])('%s of the wire is %s', (theirs, ours) => {
    expect(eventOfWire(theirs, NAMED)).toBe(ours);
  });

  it('of results are those of the webhook and those that are named', () => {
    const named = dialectSchema.parse({ events: { enrichmentDone: 'done' } });
    expect([...resultTypes(named)]).toEqual(['enrichmentDone', 'enrichmentError', 'done']);
  });

  it('are of known events alone', () => {
    expect(dialectSchema.safeParse({ events: { somethingElse: 'x' } }).success).toBe(false);
  });
});
