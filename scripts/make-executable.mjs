// Sets the executable bit that npm expects on a bin file and tsc does not write.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/bundle/sluice.js', import.meta.url), 0o755);
