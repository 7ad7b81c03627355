import { expect, it } from 'vitest';
import { parsePositionShape } from '../../../src/model/columns/position-shape.js';

it.each([
  ['current', { kind: 'current' }],
  ['long', { kind: 'long' }],
  ['json', { kind: 'json' }],
  ['wide:1', { kind: 'wide', count: 1 }],
  ['wide:50', { kind: 'wide', count: 50 }],
])('%s is a shape of positions', (text, shape) => {
  expect(parsePositionShape(text)).toEqual(shape);
});

it.each([
  '',
  'wide',
  'wide:',
  'wide:0',
  'wide:01',
  'wide:51',
  'wide:100',
  'wide:-1',
  'wide:1.5',
  'wide: 3',
  'WIDE:3',
  'wide:3 ',
  'Current',
  'toString',
])('%j is none', (text) => {
  expect(parsePositionShape(text)).toBeUndefined();
});
