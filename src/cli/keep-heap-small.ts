// A heap as small as the work. Left to itself, V8 lets the heap grow to several times what is alive before it looks
// for garbage among old objects; a run keeps few megabytes alive, whatever the size of its input. The settings are
// V8's own (`node --v8-options`); what they save and cost is measured in docs/performance.md.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the space for new objects, of which one half is in use. */
const NEW_SPACE_BYTES = 16_000_000;

/** Call once, before the work begins. */
export function keepHeapSmall(): void {
  // Old objects are looked through when they have grown by a fifth.
  setFlagsFromString('--heap-growing-percent=20');
  // The space for new ones doubles while many survive; its largest size could be set only before Node.js starts. It
  // grows at a collection, and at no other time: a listener that waits is not woken.
  const collections = new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (space === undefined || space.space_size < NEW_SPACE_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
}
