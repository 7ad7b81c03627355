// The version, as package.json states it.
import { readFileSync } from 'node:fs';

/** Read when it is asked for; package.json lies two folders above the built file as well as the source. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
