// Log-normal latencies, as the platform is described: median 10 s, sigma 0.6. The same for the same seed.

export function latenciesMs(count, seed, { medianMs, sigma } = { medianMs: 10_000, sigma: 0.6 }) {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.round(medianMs * Math.exp(sigma * normal));
  });
}

/** Mulberry32. */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
