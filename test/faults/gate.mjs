// Loaded before the command line (NODE_OPTIONS=--import) by processes that shall begin at the same moment:
// loads what a run needs, and waits for the file GATE, which opens it for all of them.
import { existsSync, writeFileSync } from 'node:fs';
import '../../dist/bundle/run-and-report.js';

const { GATE: gate } = process.env;
const still = new Int32Array(new SharedArrayBuffer(4));
writeFileSync(`${gate}.${process.pid}`, '');
while (!existsSync(gate)) Atomics.wait(still, 0, 0, 1);
