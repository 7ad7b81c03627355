import { expect, it } from 'vitest';
import { remembering } from '../../src/identity/remember.js';

it('asks once for each host, also where there is no answer, and again after it has forgotten', () => {
  const asked: string[] = [];
  const lengthOf = remembering((host) => {
    asked.push(host);
    return host === 'none' ? undefined : host.length;
  }, 2);
  expect(['a.com', 'none', 'a.com', 'none'].map(lengthOf)).toEqual([5, undefined, 5, undefined]);
  expect(asked).toEqual(['a.com', 'none']);
  expect(['b.com', 'a.com', 'b.com'].map(lengthOf)).toEqual([5, 5, 5]);
  expect(asked).toEqual(['a.com', 'none', 'b.com', 'a.com']);
});

it('keeps no text that is longer than a host name', () => {
  let asked = 0;
  const count = remembering(() => (asked += 1));
  const [longest, tooLong] = ['a'.repeat(255), 'a'.repeat(256)];
  expect([longest, longest, tooLong, tooLong].map(count)).toEqual([1, 1, 2, 3]);
});
