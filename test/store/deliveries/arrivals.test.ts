// The bodies that wait in memory for the run that takes them.
import { expect, it } from 'vitest';
import { digestOf, rememberBody, takeBody } from '../../../src/store/deliveries/arrivals.js';

const digest = (body: string): Buffer =>
  digestOf({ scope: 'a', enrichmentId: null, callId: null, receivedAt: 0, body });

it('a body is handed out once', () => {
  rememberBody(digest('{"a":1}'), { body: '{"a":1}' });
  expect(takeBody(digest('{"a":1}'))).toEqual({ body: '{"a":1}' });
  expect(takeBody(digest('{"a":1}'))).toBeUndefined();
});

it('the oldest ones leave if there is no room for all, and one that is too long at once', () => {
  const bodies = ['a', 'b', 'c'].map((sign) => sign.repeat(900_000));
  for (const body of bodies) rememberBody(digest(body), { body });
  expect(bodies.map((body) => takeBody(digest(body))?.body[0])).toEqual([undefined, 'b', 'c']);
  const long = 'x'.repeat(2_000_001);
  rememberBody(digest(long), { body: long });
  expect(takeBody(digest(long))).toBeUndefined();
});
