// The bar and the lines above it, on one terminal.
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { createProgress } from '../../../src/cli/print/progress.js';
import { openLog } from '../../../src/telemetry/open-log.js';
import { EVENTS } from '../../helpers/run-events.js';

/** What the lines of a terminal show after all that was written; a line that is cleared is gone. */
function screenOf(text: string): string[] {
  return text.split('\n').map((line) => line.split('\r\u001B[2K').at(-1) ?? '');
}

it('gives each line of a log a line of its own, with the bar below', () => {
  let text = '';
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  const terminal = Object.assign(sink, { isTTY: true, columns: 80 }) as unknown as WriteStream;
  const progress = createProgress(terminal, false);
  const log = openLog({ level: 'trace', write: (line) => progress.say(line.trimEnd()) });
  for (const event of Object.values(EVENTS)) {
    log(event);
    progress.observe(event);
  }
  progress.stop();
  const screen = screenOf(text);
  const lines = screen.slice(0, Object.keys(EVENTS).length);
  const logged = lines.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(logged).toEqual(Object.keys(EVENTS));
  expect(screen.at(-2)).toMatch(/^[█░]+ \d+ %/);
});
