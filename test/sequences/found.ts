// What the model has found, shrunk: each sequence broke a rule once.
import type { Step } from './steps.js';

const DAY = 86_400_000;

export const FOUND: Readonly<Record<string, readonly Step[]>> = {
  'an enrichment that was re-opened and never sent leaves the fresh answer in its place': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', budget: 1 },
    { do: 'cancel', run: 2 },
    { do: 'enrich', job: 'a.csv' },
  ],
  'two jobs share an answer, of which one asks for it anew and stops at its budget': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'two.yaml', freshFor: '1ms', budget: 1 },
    { do: 'enrich', job: 'one.yaml' },
  ],
  'a process that dies between reading and sending takes no answer away': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', diesAt: 61 },
    { do: 'enrich', job: 'one.yaml' },
  ],
  'a run that is continued asks by the fresh-for that it is told now': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', budget: 1 },
    { do: 'enrich', job: 'a.csv' },
  ],
  'a failure of a request that was accepted counts until its successor is sent': [
    { do: 'enrich', job: 'b.csv' },
    { do: 'enrich', job: 'b.csv', freshFor: '1ms', budget: 10 },
    { do: 'enrich', job: 'two.yaml', freshFor: '30d' },
  ],
  'a stop at the budget shows the answers that are known': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', budget: 0 },
  ],
  'what timed out shows the answer that was known': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', deadline: '1ms' },
  ],
  'what is uncertain shows the answer that was known': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'weather', is: 'lossy' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', submit: 'bulk' },
  ],
  'a run whose answers are fresh is not judged by a repetition that another one lost': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'weather', is: 'lossy' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', submit: 'bulk' },
    { do: 'weather', is: 'calm' },
    { do: 'enrich', job: 'one.yaml' },
  ],
  'a place for results that is not there is no miss': [
    { do: 'dialect', is: 'wrong blocks' },
    { do: 'enrich', job: 'a.csv' },
    { do: 'dialect', is: 'right' },
    { do: 'enrich', job: 'a.csv' },
  ],
  'few are sent before an answer shows that the dialect reads what comes': [
    { do: 'dialect', is: 'wrong blocks' },
    { do: 'enrich', job: 'many.csv', submit: 'bulk' },
    { do: 'dialect', is: 'right' },
    { do: 'enrich', job: 'many.csv', submit: 'bulk' },
  ],
  'an answer that two jobs share, and none could read, is read by whoever has the right dialect': [
    { do: 'dialect', is: 'wrong field' },
    { do: 'enrich', job: 'two.yaml' },
    { do: 'enrich', job: 'a.csv' },
    { do: 'dialect', is: 'right' },
    { do: 'enrich', job: 'two.yaml' },
  ],
  'a field of another name is no miss': [
    { do: 'dialect', is: 'wrong field' },
    { do: 'enrich', job: 'a.csv' },
    { do: 'dialect', is: 'right' },
    { do: 'enrich', job: 'a.csv' },
  ],
  'entries in another place are no miss': [
    { do: 'dialect', is: 'wrong entries' },
    { do: 'enrich', job: 'a.csv' },
    { do: 'dialect', is: 'right' },
    { do: 'enrich', job: 'a.csv' },
  ],
  'a first look that comes late is no miss': [
    { do: 'weather', is: 'empty at first read' },
    { do: 'enrich', job: 'many.csv' },
  ],
  'a first look that comes late is no miss where an earlier process sent what it asks for': [
    { do: 'weather', is: 'empty at first read' },
    { do: 'enrich', job: 'many.csv', diesAt: 260 },
    { do: 'pass', ms: 2 * 3_600_000 },
    { do: 'again' },
  ],
  'what a pruned run took its columns for stays while its answers are fresh': [
    { do: 'add column' },
    { do: 'enrich', job: 'a.csv' },
    { do: 'pass', ms: 2 },
    { do: 'prune', olderThan: '1ms' },
    { do: 'add column' },
  ],
  'a run that was told to take less for fresh removes nothing that is fresh for the next one': [
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'a.csv', freshFor: '1ms', limit: 1 },
    { do: 'pass', ms: 2 },
    { do: 'prune', olderThan: '1ms' },
    { do: 'enrich', job: 'a.csv' },
  ],
  'what was asked with more is not asked again for a part': [
    { do: 'plan and enrich', job: 'two.yaml', ask: 'contact' },
    { do: 'plan and enrich', job: 'a.csv' },
    { do: 'plan and enrich', job: 'b.csv', ask: 'phone' },
    { do: 'plan and enrich', job: 'one.yaml', ask: 'contact', onlyMissing: true },
  ],
  'what is queued when a wider question is answered is not sent any more': [
    { do: 'enrich', job: 'one.yaml', budget: 0 },
    { do: 'enrich', job: 'a.csv', ask: 'both' },
    { do: 'enrich', job: 'one.yaml' },
  ],
  'a part is not asked while it is unknown whether more was accepted': [
    { do: 'weather', is: 'lossy' },
    { do: 'enrich', job: 'b.csv', ask: 'both', submit: 'bulk' },
    { do: 'weather', is: 'calm' },
    { do: 'enrich', job: 'b.csv' },
    { do: 'retry', run: 2, only: 'uncertain' },
    { do: 'enrich', job: 'b.csv' },
  ],
  'a part is not asked for by another job where a process died that had asked for more': [
    { do: 'enrich', job: 'a.csv', ask: 'both', diesAt: 186 },
    { do: 'enrich', job: 'one.yaml' },
  ],
  'a part waits for the answer to more, however that is asked for': [
    { do: 'dialect', is: 'wrong field' },
    { do: 'enrich', job: 'two.yaml', ask: 'both' },
    { do: 'enrich', job: 'a.csv' },
    { do: 'dialect', is: 'right' },
    { do: 'enrich', job: 'a.csv' },
    { do: 'enrich', job: 'two.yaml', ask: 'both' },
  ],
  'runs that take the place of one that stopped at its budget have no other budget': [
    { do: 'enrich', job: 'many.csv', budget: 10 },
    { do: 'enrich', job: 'many.csv', budget: 10, limit: 40 },
    { do: 'enrich', job: 'many.csv', budget: 10, limit: 50 },
  ],
  'a sample keeps its leads where lines are added': [
    { do: 'add lines', sample: 2 },
    { do: 'add lines', sample: 2 },
    { do: 'add lines', sample: 5 },
  ],
  'an answer stays while a younger run shows it, though it and its own run are too old to be kept':
    [
      { do: 'enrich', job: 'a.csv' },
      { do: 'pass', ms: 20 * DAY },
      { do: 'enrich', job: 'one.yaml' },
      { do: 'pass', ms: 15 * DAY },
      { do: 'enrich', job: 'b.csv', keep: '30d' },
      { do: 'show', what: 'export', run: 2 },
      { do: 'enrich', job: 'one.yaml' },
    ],
  'what is taken from a table is not paid for, for as long as its date says': [
    { do: 'enrich', job: 'a.csv', ask: 'contact' },
    { do: 'import', job: 'a.csv', other: true },
    { do: 'import', job: 'a.csv' },
    { do: 'enrich', job: 'b.csv', ask: 'both', other: true },
    { do: 'pass', ms: 31 * DAY },
    { do: 'import', job: 'a.csv', other: true },
  ],
};
