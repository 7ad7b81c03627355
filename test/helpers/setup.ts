// Runs before each test file; vitest.config.ts names it.
import { endWithFile } from './file-end.js';

endWithFile();
