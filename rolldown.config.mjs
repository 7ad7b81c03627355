// The command line in few files: a process that loads hundreds spends more time on finding them than on most jobs.
// What loads something of its own at run time, or is not JavaScript, stays where npm has put it.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'dist/cli/main.js',
  platform: 'node',
  external: ['better-sqlite3', 'pino'],
  output: {
    dir: 'dist/bundle',
    entryFileNames: 'sluice.js',
    chunkFileNames: '[name].js',
    minify: { mangle: false },
  },
});
