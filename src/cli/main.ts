#!/usr/bin/env node
// The command line as a process: what its streams and its last errors come to. The commands: perform-command.ts.
import { outputProblem } from '../output/output-problem.js';
import { keepHeapSmall } from './keep-heap-small.js';
import { performCommand } from './perform-command.js';
import { reportError } from './report-error.js';

keepHeapSmall();

const argv = process.argv.slice(2);
const isJson = argv.includes('--json');

// `| head` closes the pipe when it has seen enough: that is success, and whatever is not printing goes
// on to its end. Any other failure (a full disk behind `>`) ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.exit(reportError(outputProblem('standard output', error), isJson));
});

// Messages that nothing reads are no reason to end a run that has paid for something.
process.stderr.on('error', () => undefined);

// Left to itself, Node would end with 1, which says something else here.
process.on('uncaughtException', (error) => process.exit(reportError(error, isJson)));

await performCommand(argv);
