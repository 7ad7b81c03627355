// The files that the pages load: the stylesheet, and the script as the build has left it. Their addresses have a digest
// of them, so that a browser may keep them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { SluiceError } from '../model/errors.js';
import type { Asset } from './server/respond.js';

export interface ClientFiles {
  /** By path. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The paths of the stylesheet and of the script that loads the others. */
  readonly style: string;
  readonly script: string;
}

/** Two folders above are the source, the built file and the bundle. */
const BUILT = new URL('../../dist/ui/client/', import.meta.url);
const TEXT_OF = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** @throws SluiceError `usage` in a checkout that is not built */
export function readClient(style: string): ClientFiles {
  const scripts = namesOfScripts().map((name) => ({
    name,
    body: readFileSync(new URL(name, BUILT), 'utf8'),
  }));
  const hash = createHash('sha256').update(style);
  for (const { body } of scripts) hash.update(body);
  // Of all together: the scripts name one another.
  const folder = `/assets/${hash.digest('hex').slice(0, 16)}`;
  const assets = new Map<string, Asset>([
    [`${folder}/style.css`, { type: TEXT_OF.css, body: style }],
    ...scripts.map(
      ({ name, body }) => [`${folder}/${name}`, { type: TEXT_OF.js, body }] as [string, Asset],
    ),
  ]);
  return { assets, style: `${folder}/style.css`, script: `${folder}/page.js` };
}

function namesOfScripts(): string[] {
  try {
    return readdirSync(BUILT).filter((name) => name.endsWith('.js'));
  } catch (cause) {
    throw new SluiceError(
      'usage',
      'The script of the pages is not built: run "npm run build" in the checkout.',
      {},
      { cause },
    );
  }
}
