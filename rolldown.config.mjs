// The command line in few files: a process that loads hundreds spends more time on finding them than on most jobs.
// What loads something of its own at run time, or is not JavaScript, stays where npm has put it.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

/**
 * yargs measures each word of a help with the tables of Unicode, which takes a quarter of its time. Every letter of
 * our own help is one column wide.
 */
const plainWidth = {
  name: 'plain-width',
  resolveId: (id) => (id === 'string-width' ? '\0string-width' : null),
  load: (id) => (id === '\0string-width' ? 'export default (text) => text.length;' : null),
};

const LEAN_UNDICI = fileURLToPath(new URL('undici.js', import.meta.url));

/** undici's own index also loads fetch, WebSockets, caches and mocks: two thirds of the time that loading it takes. */
const leanUndici = {
  name: 'lean-undici',
  // The file of the bundle is named for it.
  resolveId: (id) => (id === 'undici' ? LEAN_UNDICI : null),
  load: (id) =>
    id === LEAN_UNDICI
      ? `import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
         import api from 'undici/lib/api/index.js';
         Object.assign(Dispatcher.prototype, api);
         export { default as Agent } from 'undici/lib/dispatcher/agent.js';
         export { default as Pool } from 'undici/lib/dispatcher/pool.js';
         export { default as buildConnector } from 'undici/lib/core/connect.js';`
      : null,
};

/**
 * Node.js holds a text in two bytes a character if one of them is not in Latin-1. As escapes they save a run some
 * megabytes. A backslash belongs to the character behind it.
 */
const narrow = {
  name: 'narrow',
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/\\[^]|[^\0-\xff]/g, escaped);
    }
  },
};

function escaped(found) {
  const last = found.at(-1);
  return last > '\xff' ? `\\u${last.charCodeAt(0).toString(16).padStart(4, '0')}` : found;
}

export default defineConfig({
  // Tests perform commands in processes that stay: test/helpers/command-host.mjs has the second and the third.
  input: {
    sluice: 'dist/cli/main.js',
    'perform-command': 'dist/cli/perform-command.js',
    'second-look': 'dist/run/collect/second-look.js',
  },
  platform: 'node',
  plugins: [plainWidth, leanUndici, narrow],
  external: ['bullmq', 'pg', 'pino'],
  output: {
    dir: 'dist/bundle',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: { mangle: false },
  },
});
