// A line of the log as people read it on a terminal. Everybody else gets it as pino wrote it.

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Text that is told from what stands around it without quotation marks. */
const WORD = /^[^\s"=]+$/;

/** `21:30:05 info  run.started job=nightly run=7`: the time of day here, the level, the event and its fields. */
export function forEyes(line: string): string {
  const { time, level, event, pid: _pid, ...fields } = JSON.parse(line) as LogLine;
  const told = Object.entries(fields).map(([name, value]) => {
    const isWord = typeof value === 'string' && WORD.test(value);
    return `${name}=${isWord ? value : JSON.stringify(value)}`;
  });
  const clock = new Date(time).toTimeString().slice(0, 'HH:MM:SS'.length);
  return `${[clock, level.padEnd('error'.length), event, ...told].join(' ')}\n`;
}
