// What of a drop folder was not done though the rest was: each is told at once, and the command ends with it.
import { SluiceError } from '../../model/errors.js';
import type { RunObserver } from '../../model/telemetry/run-event.js';

export class LeftOut {
  #first: SluiceError | undefined;
  #count = 0;

  constructor(private readonly observe: RunObserver) {}

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** Somebody should look at it; the command does not end with it. */
  warn(message: string): void {
    this.observe({ kind: 'run.warned', warning: 'file_left_out', message });
  }

  add(error: SluiceError): void {
    this.warn(error.logged);
    this.#first ??= error;
    this.#count += 1;
  }

  /** @throws the first, which is how the command ends where nothing else has ended it */
  throwFirst(): void {
    const more = this.#count - 1;
    if (this.#first === undefined) return;
    if (more === 0) throw this.#first;
    const files = more === 1 ? '1 more file was' : `${more} more files were`;
    throw this.#first.amended(`${files} left out; without --quiet each is told.`);
  }

  /** What has ended the command early, with what was left out until then. */
  addTo(stop: unknown): unknown {
    if (!(stop instanceof SluiceError) || this.#first === undefined) return stop;
    const files = this.#count === 1 ? '1 file was' : `${this.#count} files were`;
    return stop.amended(`Before that ${files} left out: ${this.#first.logged}`);
  }
}
