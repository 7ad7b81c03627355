// Keeps the heap small. By default V8 lets the heap grow to several times the live data before it collects old objects;
// a run keeps only a few megabytes alive, however large its input. The settings are flags of V8 (`node --v8-options`);
// docs/internals/performance.md tells the memory that they save.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the space for new objects, half of which is in use. */
const NEW_SPACE_BYTES = 16_000_000;

/** Call once, before the work begins. */
export function keepHeapSmall(): void {
  // Old objects are collected when they have grown by a fifth.
  setFlagsFromString('--heap-growing-percent=20');
  // The space for new objects doubles while many survive; its largest size could be set only before Node.js starts. It
  // grows only at a collection, so no timer is needed.
  const collections = new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (space === undefined || space.space_size < NEW_SPACE_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
}
