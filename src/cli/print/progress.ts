// Progress of a run on standard error: a bar on a terminal, a line every 10 s elsewhere.
import type { WriteStream } from 'node:tty';
import { type EventHandlers, handleEvent, type RunEvent } from '../../model/telemetry/observe.js';
import { printable } from '../../model/text/printable.js';
import { formatDuration } from './format.js';

const BAR_WIDTH = 24;
const TERMINAL_EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;

export interface Progress {
  observe(event: RunEvent): void;
  /** Prints a line above the bar; any text is safe to print. */
  say(text: string): void;
  /** Draws the last state and stops. Idempotent. */
  stop(): void;
}

/** Counts events and draws them; `isQuiet` draws nothing. */
export function createProgress(stream: WriteStream, isQuiet: boolean): Progress {
  const counts = newCounts();
  const handlers = countingHandlers(counts);
  const isTerminal = stream.isTTY;

  const draw = (): void => {
    if (!counts.isStarted) return;
    const text = progressText(counts, isTerminal);
    if (!isTerminal) stream.write(`${text}\n`);
    else stream.write(`\r\u001B[2K${text.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
  };

  const timer = isQuiet
    ? undefined
    : setInterval(draw, isTerminal ? TERMINAL_EVERY_MS : LINE_EVERY_MS);
  timer?.unref();
  let isStopped = false;

  return {
    observe: (event) => handleEvent(handlers, event),
    say(text) {
      if (isQuiet) return;
      const line = printable(text);
      stream.write(
        isTerminal && counts.isStarted && !isStopped ? `\r\u001B[2K${line}\n` : `${line}\n`,
      );
    },
    stop() {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      if (isQuiet || !isTerminal || !counts.isStarted) return;
      draw();
      stream.write('\n');
    },
  };
}

function newCounts() {
  return {
    startedAt: Date.now(),
    isStarted: false,
    isReading: false,
    read: 0,
    asked: 0,
    sent: 0,
    settled: 0,
    found: 0,
    cached: 0,
    skipped: 0,
  };
}

type Counts = ReturnType<typeof newCounts>;

function countingHandlers(counts: Counts): EventHandlers {
  return {
    'run.started': ({ run }) => {
      counts.isStarted = true;
      counts.isReading = run.state === 'reading';
      counts.read = run.leadCount;
    },
    'run.resumed': ({ awaiting, queued }) => {
      counts.asked += queued + awaiting;
      counts.sent += awaiting;
    },
    'leads.read': ({ count, position }) => {
      counts.read = position;
      counts.asked += count.queued + count.awaiting;
      counts.sent += count.awaiting;
      counts.cached += count.cached;
      counts.skipped += count.skipped;
    },
    'leads.complete': () => {
      counts.isReading = false;
    },
    'enrichments.submitted': ({ enrichments }) => {
      counts.sent += enrichments.length;
    },
    'enrichments.settled': ({ enrichments, outcome }) => {
      counts.settled += enrichments.length;
      if (outcome === 'found') counts.found += enrichments.length;
    },
  };
}

function progressText(counts: Readonly<Counts>, isTerminal: boolean): string {
  // Enrichments that a webhook claimed after an interruption were not asked for by this process.
  const asked = Math.max(counts.asked, counts.settled);
  const share = asked === 0 ? 0 : counts.settled / asked;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
  const seconds = (Date.now() - counts.startedAt) / 1000;
  const left =
    counts.settled === 0 || counts.isReading
      ? null
      : (seconds * (asked - counts.settled)) / counts.settled;
  return [
    isTerminal ? `${bar} ${Math.floor(share * 100)} %` : `${Math.floor(share * 100)} %`,
    `${counts.settled} of ${asked}${counts.isReading ? '+' : ''} answered`,
    `${counts.found} found`,
    `${Math.max(0, counts.sent - counts.settled)} awaited`,
    ...(counts.cached > 0 ? [`${counts.cached} paid before`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    formatDuration(seconds * 1000),
    ...(left === null || left < 1 ? [] : [`${formatDuration(left * 1000)} left`]),
  ].join('  ');
}
