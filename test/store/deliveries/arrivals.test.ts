// The bodies that wait in memory for the run that takes them.
import { expect, it } from 'vitest';
import { digestOf, rememberBody, takeBody } from '../../../src/store/deliveries/arrivals.js';

const digest = (body: string): Buffer =>
  digestOf({ scope: 'a', enrichmentId: null, callId: null, receivedAt: 0, body });

it('a body is handed out once', () => {
  rememberBody(digest('{"a":1}'), '{"a":1}');
  expect(takeBody(digest('{"a":1}'))).toBe('{"a":1}');
  expect(takeBody(digest('{"a":1}'))).toBeUndefined();
});

it('the oldest ones leave if there is no room for all, and one that is too long at once', () => {
  const bodies = ['a', 'b', 'c'].map((sign) => sign.repeat(1_900_000));
  for (const body of bodies) rememberBody(digest(body), body);
  expect(bodies.map((body) => takeBody(digest(body))?.[0])).toEqual([undefined, 'b', 'c']);
  const long = 'x'.repeat(4_000_001);
  rememberBody(digest(long), long);
  expect(takeBody(digest(long))).toBeUndefined();
});
