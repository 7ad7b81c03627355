// Prints an error on standard error, and returns its exit code. No other file does.
import { SluiceError } from '../model/errors.js';
import { printable, printableJson, printableLines } from '../model/text/printable.js';
import { exitCodeOf } from './exit-codes.js';

/** Prints one sentence for an expected error, the stack for a bug; or JSON for a script. */
export function reportError(error: unknown, isJson: boolean): number {
  const exitCode = exitCodeOf(error);
  if (isJson) {
    const known = error instanceof SluiceError;
    const code = known ? error.code : 'bug';
    const message = error instanceof Error ? error.message : String(error);
    console.error(printableJson(JSON.stringify({ error: { code, message, exit_code: exitCode } })));
  } else if (error instanceof SluiceError) {
    console.error(`sluice: ${printable(error.message)}`);
  } else {
    console.error('sluice: this is a bug in Sluice; everything committed so far is in the state.');
    console.error(
      printableLines(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
  }
  return exitCode;
}
