// The packages that only a state in a database, and workers, need. Users of neither install none of them.

/** The versions that fit, as in the `peerDependencies` of package.json. */
export const OPTIONAL_PACKAGES = { pg: '^8.23.1', bullmq: '^6.7.0' } as const;

export function installing(...names: (keyof typeof OPTIONAL_PACKAGES)[]): string {
  return `npm i -g ${names.map((name) => `"${name}@${OPTIONAL_PACKAGES[name]}"`).join(' ')}`;
}
