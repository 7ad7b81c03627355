// Progress of a run on standard error: a bar on a terminal, a line every 10 s elsewhere.
import type { WriteStream } from 'node:tty';
import type { Run } from '../../model/run.js';
import type { CapState } from '../../model/schedule/caps.js';
import {
  createPace,
  describeLeft,
  doneLeads,
  type Pace,
  payableWith,
} from '../../model/schedule/pace.js';
import type { RunTally } from '../../model/tally.js';
import { type EventHandlers, handleEvent, type RunEvent } from '../../model/telemetry/observe.js';
import { formatDuration } from '../../model/text/format-time.js';
import { printable } from '../../model/text/printable.js';

const BAR_WIDTH = 24;
const BAR_WIDTH_MIN = 8;
/** Below so many columns there is no bar, and numbers are written shorter. */
const NARROW = 59;
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
  const pace = createPace(counts.startedAt);
  const isTerminal = stream.isTTY;

  const draw = (): void => {
    if (!counts.isStarted) return;
    // The last column stays free: some terminals break the line there.
    const columns = isTerminal ? Math.max(20, (stream.columns ?? 80) - 1) : undefined;
    const text = progressText(counts, pace, columns);
    stream.write(isTerminal ? `\r\u001B[2K${text}` : `${text}\n`);
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

/** Says on standard error how far it has come, now and then; nothing of what takes less. */
export function createTold(tell: (count: number) => string): (count: number) => void {
  let toldAt = Date.now();
  return (count) => {
    if (Date.now() - toldAt < LINE_EVERY_MS / 2) return;
    toldAt = Date.now();
    process.stderr.write(`${tell(count)}\n`);
  };
}

/** The same of a run that another process works on, each time it is looked at. */
export function createWatchedProgress() {
  const counts = newCounts();
  const pace = createPace();
  /** Without `columns` the line is as long as it is, and has no bar. */
  return (run: Run, tally: RunTally, columns?: number, caps: readonly CapState[] = []): string => {
    const { pace: best, startedAt, state } = run;
    Object.assign(counts, {
      ...doneLeads(run, tally, caps),
      startedAt,
      best,
      isReading: state === 'reading',
      found: tally.byStatus.found,
    });
    return progressText(counts, pace, columns);
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
    /** Of them those of this process; the others are only awaited. */
    sentHere: 0,
    settled: 0,
    found: 0,
    cached: 0,
    skipped: 0,
    /** The cost of the settled ones. */
    credits: 0,
    /** The fastest pace that it could have. */
    best: undefined as Run['pace'],
    priceMax: undefined as Run['priceMax'],
    /** The rest of its budget; undefined without one. */
    remaining: undefined as number | undefined,
    /** The same of the tightest cap. */
    underCap: undefined as number | undefined,
    /** The number of enrichments that its budget, or a cap, suffices for. */
    payable: undefined as number | undefined,
    /** The time at which the first answer is asked for; undefined if answers come by themselves. */
    firstPollAt: undefined as number | undefined,
  };
}

type Counts = ReturnType<typeof newCounts>;

function countingHandlers(counts: Counts): EventHandlers {
  return {
    'run.started': ({ run }) => {
      counts.isStarted = true;
      counts.isReading = run.state === 'reading';
      counts.read = run.leadCount;
      counts.best = run.pace;
      counts.priceMax = run.priceMax;
    },
    'run.resumed': ({ awaiting, queued }) => {
      counts.asked += queued + awaiting;
      counts.sent += awaiting;
    },
    'leads.read': ({ awaiting, cached, position, queued, skipped }) => {
      counts.read = position;
      counts.asked += queued + awaiting;
      counts.sent += awaiting;
      counts.cached += cached;
      counts.skipped += skipped;
    },
    // A step of a waterfall: what is asked of it counts beside what was asked before.
    'leads.passed': ({ awaiting, queued }) => {
      counts.asked += queued + awaiting;
      counts.sent += awaiting;
    },
    'leads.complete': () => {
      counts.isReading = false;
    },
    'enrichments.submitted': ({ enrichments, pollAt }) => {
      counts.sent += enrichments.length;
      counts.sentHere += enrichments.length;
      if (counts.best?.isRead === true) counts.firstPollAt ??= pollAt;
    },
    'cap.looked': ({ cap, spent }) => {
      counts.underCap = cap - spent;
    },
    'budget.reserved': ({ budget, spent }) => {
      counts.remaining = budget - spent;
    },
    'enrichments.settled': ({ credits, enrichments, outcome }) => {
      counts.settled += enrichments.length;
      counts.credits += credits;
      if (outcome === 'found') counts.found += enrichments.length;
    },
  };
}

function progressText(counts: Readonly<Counts>, pace: Pace, columns: number | undefined): string {
  // Enrichments that a webhook claimed after an interruption were not asked for by this process.
  const asked = Math.max(counts.asked, counts.settled);
  const share = asked === 0 ? 0 : counts.settled / asked;
  const sentShare = asked === 0 ? 0 : Math.min(1, counts.sent / asked);
  const { remaining, underCap } = counts;
  const least = Math.min(remaining ?? Infinity, underCap ?? Infinity);
  const payable = least === Infinity ? counts.payable : payableWith(least, counts);
  // Also while it reads: the requests sent then tell how fast it is.
  const told = pace.left(Date.now(), { ...counts, asked, payable }, counts.best);
  const firstInMs = counts.settled > 0 ? 0 : (counts.firstPollAt ?? 0) - Date.now();
  const left =
    counts.isReading || told === null ? null : { ...told, ms: Math.max(told.ms, firstInMs) };
  const of = `${asked}${counts.isReading ? '+' : ''}`;
  const isUnanswered = counts.settled === 0 && counts.sent > 0;
  const isNarrow = (columns ?? NARROW) < NARROW;
  const done = isNarrow ? `${counts.settled}/${of}` : `${counts.settled} of ${of} done`;
  const parts: readonly Part[] = [
    // Before the first answers come, the share that is sent is the progress.
    {
      rank: 0,
      text: isUnanswered ? `${percent(sentShare)} sent` : percent(share),
    },
    { rank: 1, text: done },
    { rank: 3, text: `${counts.found} found` },
    { rank: 4, text: `${Math.max(0, counts.sent - counts.settled)} awaited` },
    { rank: 6, text: counts.cached > 0 ? `${counts.cached} known before` : '' },
    { rank: 7, text: counts.skipped > 0 ? `${counts.skipped} skipped` : '' },
    { rank: 5, text: formatDuration(Date.now() - counts.startedAt) },
    { rank: 2, text: describeLeft(left) },
    { rank: 3, text: isUnanswered ? describeFirst(firstInMs) : '' },
  ];
  if (columns === undefined) return join(parts);
  if (isNarrow) return fit(parts, columns);
  const fitting = fit(parts, columns - BAR_WIDTH_MIN - 1);
  return `${bar(share, sentShare, Math.min(columns - fitting.length - 1, BAR_WIDTH))} ${fitting}`;
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

/** The time until the first answers, in words; empty if it is not known, or is over. */
function describeFirst(ms: number): string {
  return ms < 1_000
    ? ''
    : `first answers in about ${formatDuration(Math.ceil(ms / 1_000) * 1_000)}`;
}

interface Part {
  /** The higher, the sooner it is left out if the terminal is narrow. */
  readonly rank: number;
  /** Empty if there is nothing to say. */
  readonly text: string;
}

/** As many of the parts as a line of `columns` has room for. */
function fit(parts: readonly Part[], columns: number): string {
  for (let rank = parts.length; rank > 0; rank -= 1) {
    const line = join(parts.filter((part) => part.rank <= rank));
    if (line.length <= columns) return line;
  }
  return join(parts).slice(0, columns);
}

function join(parts: readonly Part[]): string {
  return parts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('  ');
}

/** Answered, sent, and still to send. */
function bar(share: number, sentShare: number, width: number): string {
  const filled = Math.round(share * width);
  const sent = Math.max(filled, Math.round(sentShare * width));
  return '█'.repeat(filled) + '▒'.repeat(sent - filled) + '░'.repeat(width - sent);
}
