// Why SQLite itself cannot be used: its binding is a binary, made for one Node.

const REBUILD =
  'Run npm rebuild better-sqlite3 where Sluice is installed, with the Node that runs it';

export interface LibraryProblem {
  readonly says: string;
  readonly advice: string;
}

/** Undefined where the library was loaded, and something else went wrong. */
export function libraryProblem(error: unknown): LibraryProblem | undefined {
  const { code, message = '' } = error as { readonly code?: string; readonly message?: string };
  if (message.includes('NODE_MODULE_VERSION')) {
    return {
      says: `SQLite's binding was built for another Node than this one (${process.version}).`,
      advice: `${REBUILD}.`,
    };
  }
  if (message.includes('Could not locate the bindings file')) {
    return { says: "SQLite's binding is not there.", advice: `${REBUILD}.` };
  }
  if (code !== 'ERR_DLOPEN_FAILED') return undefined;
  return {
    says: `SQLite's binding cannot be loaded: ${message.replaceAll(/\s*\n\s*/g, ' ').replace(/\.*$/, '.')}`,
    advice: `${REBUILD}; where no ready-made binary fits, that needs a C++ toolchain and python3.`,
  };
}
