// For tests whose runs go by the clock of this machine: an empty answer is read again soon. A sandbox has its values at
// the second look, whenever that is, as for the commands that command-host.mjs performs.
import { secondLook } from '../../src/run/collect/second-look.js';
import { atFileEnd } from './file-end.js';

const { waitMs } = secondLook;
atFileEnd(() => {
  secondLook.waitMs = waitMs;
});

/** To be called where the file begins; it ends with the file. */
export function lookSoon(): void {
  secondLook.waitMs = 50;
}
