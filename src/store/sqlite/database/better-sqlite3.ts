// better-sqlite3 in the version that fits this Node.js: its version 13 needs Node.js 22, and under its version 12 the
// process aborts at a moment of its own choice since Node.js 24.19, whose object wraps want an environment when they are
// collected (docs/decisions/0002-store.md).
import { createRequire } from 'node:module';
import type Library from 'better-sqlite3';
import { errnoOf } from '../../../model/errors.js';

const require = createRequire(import.meta.url);

/**
 * The name of the package for a version of Node.js, as `npm rebuild` takes it.
 *
 * @public for `scripts/try-package.mjs`, which takes it from the build
 */
export function packageFor(node: string): string {
  return Number.parseInt(node, 10) < 22 ? 'better-sqlite3-12' : 'better-sqlite3';
}

export const PACKAGE = packageFor(process.versions.node);

const Database: typeof Library = load();

/** npm leaves it out where it cannot be built: each use then throws that it is missing (`libraryProblem`). */
function load(): typeof Library {
  try {
    return require(PACKAGE) as typeof Library;
  } catch (error) {
    if (errnoOf(error) !== 'MODULE_NOT_FOUND') throw error;
    const Missing = class {
      static readonly SqliteError = class extends Error {};
      constructor() {
        throw error;
      }
    };
    return Missing as unknown as typeof Library;
  }
}

declare namespace Database {
  export type Database = Library.Database;
  export type Options = Library.Options;
  export type Statement<Bound extends unknown[] = unknown[]> = Library.Statement<Bound>;
}

export default Database;
