#!/usr/bin/env node
// The process of the command line: how it handles errors of its streams and unexpected errors. The commands are in
// perform-command.ts.
import { tuneV8 } from './tune-v8.js';

// By default Node.js would open its inspector, to which any program of this machine may connect and read credentials.
// That must not wait for the rest to be loaded.
process.on('SIGUSR1', () => undefined);
tuneV8();

const { outputProblem } = await import('../output/output-problem.js');
const { performCommand } = await import('./perform-command.js');
const { reportError } = await import('./report-error.js');

const argv = process.argv.slice(2);
const isJson = argv.includes('--json') || argv.includes('--ndjson');

// `| head` closes the pipe when it has read enough: that is success, and the command continues without printing. Any
// other failure (a full disk behind `>`) ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.exit(reportError(outputProblem('standard output', error), isJson));
});

// Messages that cannot be printed must not end a run that has paid for something.
process.stderr.on('error', () => undefined);

// By default Node would exit with 1, which has another meaning here.
process.on('uncaughtException', (error) => process.exit(reportError(error, isJson)));

await performCommand(argv);
