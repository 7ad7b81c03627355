import { readFileSync } from 'node:fs';

interface PackageJson {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** Reads package.json on demand: it is two folders above the source, the built file and the bundle. */
export function packageJson(): PackageJson {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(text) as PackageJson;
}
