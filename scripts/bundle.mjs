// Makes dist/bundle/, and sets the executable bit that npm expects on a bin file. By rolldown's own command it would
// print every file that it makes.
import { chmodSync } from 'node:fs';
import { rolldown } from 'rolldown';
import config from '../rolldown.config.mjs';

const { output, ...input } = config;
const bundle = await rolldown(input);
await bundle.write(output);
await bundle.close();
chmodSync(new URL('../dist/bundle/sluice.js', import.meta.url), 0o755);
