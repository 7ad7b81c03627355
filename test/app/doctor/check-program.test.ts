import { expect, it } from 'vitest';
import { judgeNode } from '../../../src/app/doctor/check-program.js';

it.each([
  ['20.19.0', 'ok'],
  ['20.18.9', 'fail'],
  ['18.99.0', 'fail'],
  ['22.0.0', 'ok'],
  ['100.1.0', 'ok'],
  ['23.0.0-nightly', 'ok'],
])('Node %s is judged %s where 20.19 is needed', (version, verdict) => {
  expect(judgeNode(version, '>=20.19').verdict).toBe(verdict);
});
