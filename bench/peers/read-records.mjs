// node read-records.mjs IN: our reader alone, without a store; prints how many records there are.
import { tuneV8 } from '../../dist/cli/tune-v8.js';
import { openLeadReader } from '../../dist/input/open-lead-reader.js';

tuneV8();

let count = 0;
const reader = await openLeadReader([process.argv[2]], { standardInput: process.stdin });
for await (const { records } of reader.batches()) count += records.length;
console.log(count);
