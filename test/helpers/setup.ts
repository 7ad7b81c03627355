// Runs before each test file; vitest.config.ts names it.
import { configureGlobal } from 'fast-check';
import { endWithFile } from './file-end.js';
import { tries } from './long.js';

// Of a property that says no number of its own.
configureGlobal({ numRuns: tries(100) });
endWithFile();
