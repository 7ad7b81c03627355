// Settings of V8 for a batch: a small heap, and less compiling. They are flags (`node --v8-options`);
// docs/internals/performance.md tells what they save.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the space for new objects, half of which is in use. */
const NEW_SPACE_BYTES = 16_000_000;

/** Call once, before the work begins. */
export function tuneV8(): void {
  compileLess();
  keepHeapSmall();
}

/**
 * V8 compiles a function anew for speed when it has run some 67,584 bytes of byte code: in a run of some thousand leads
 * a third of the processor time went there. Three times as much is for functions that pay for it; six times would make a
 * nightly run over known leads slower. The flag is that of Node.js 20; later ones count calls instead.
 */
function compileLess(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=200000');
}

/** By default V8 lets the heap grow to several times the live data, and a run keeps only a few megabytes alive. */
function keepHeapSmall(): void {
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
