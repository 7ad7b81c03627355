// The example of docs/dialects.md, in samples/dialect: what its words about limits and prices promise, against a server.
// Its transcript is played by replay/check-transcript.test.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { dialectSchema } from '../../src/dialect/dialect.js';
import type { EnrichmentRequest } from '../../src/model/ask.js';
import { answer, openAt, permitOf } from './test-server.js';
import { createVirtualClock } from './virtual-clock.js';

const sample = (name: string) =>
  readFileSync(new URL(`../../samples/dialect/${name}`, import.meta.url), 'utf8');
const dialect = dialectSchema.parse(parse(sample('my-platform.yaml')));

const ADA: EnrichmentRequest = {
  ask: ['find_email'],
  inputs: { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'engines.example' },
};

describe('the example of docs/dialects.md', () => {
  it('understands what it says of limits, credits and prices', async () => {
    const startMs = createVirtualClock().now();
    const resetAt = startMs / 1_000 + 7;
    const slow = answer(
      403,
      { text: 'Slow down!' },
      {
        date: new Date(startMs).toUTCString(),
        'x-rate-reset': String(resetAt),
      },
    );
    const empty = answer(400, { error: 'No credits left' });
    const { clock, platform } = await openAt([slow, empty, answer(403, 'who are you?')], {
      dialect,
      limit: dialect.limits.rate,
    });
    const submit = async () => platform.submit(ADA, await permitOf(platform));
    expect(await submit()).toMatchObject({ kind: 'throttled' });
    const afterwards = await submit();
    expect(clock.now()).toBe(resetAt * 1_000);
    expect(afterwards).toMatchObject({ kind: 'unsent', isFinal: true });
    if (afterwards.kind === 'unsent')
      expect(afterwards.problem.message).toContain('out of credits');
    expect(await submit()).toMatchObject({
      kind: 'unsent',
      problem: { message: expect.stringContaining('refused the credentials') },
    });
    expect(dialect.prices).toMatchObject({ find_email: 2, find_phone: 9 });
    expect(dialect.requires['find_phone']).toEqual([['email'], ['socialUrl']]);
    expect(dialect.limits.rate).toEqual({ requests: 5, perMs: 1_000 });
  });
});
