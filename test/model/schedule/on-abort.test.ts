import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { onAbort } from '../../../src/model/schedule/on-abort.js';

it('ends all that wait on a signal by one listener, each once, and what is over not at all', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const ended: number[] = [];
  const stops = Array.from({ length: 50 }, (_, i) => onAbort(signal, () => void ended.push(i)));
  for (const stop of stops.slice(2)) stop();
  onAbort(undefined, () => void ended.push(-1));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  controller.abort();
  controller.abort();
  expect(ended).toEqual([0, 1]);
  for (const stop of stops) stop();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
