// Any number of sandboxes in one process, each as `sluice sandbox ARGS` would start it, one after the other. Started by
// sandbox-process.ts.
import { setMaxListeners } from 'node:events';
import { performCommand } from '../../dist/bundle/perform-command.js';

setMaxListeners(0, process);
let said = '';
process.stdout.write = (chunk, encoding, done = encoding) => {
  said += chunk;
  if (said.includes('stops it')) {
    process.send(said);
    said = '';
  }
  if (typeof done === 'function') setImmediate(() => done());
  return true;
};

process.on('disconnect', () => process.exit());
process.on('message', (args) => {
  // What the signal does to a sandbox, without ending this process.
  if (args === 'close') process.emit('SIGTERM');
  else void performCommand(args).then(() => process.exitCode && process.exit());
});
