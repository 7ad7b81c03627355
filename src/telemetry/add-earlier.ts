// Counters that continue over several processes. A job that cron starts counts from 0 each time; a reader of the file
// would take a falling counter for a restart, and a rising one for a small increase.
import { sumCredits } from '../model/credits.js';
import { METRICS } from '../model/telemetry/metric-catalogue.js';

const SAMPLE = /^(?<series>(?<name>[a-zA-Z_:][\w:]*)(?:\{.*\})?) (?<value>\S+)$/;
const PART = /_(?:bucket|sum|count)$/;

interface Options {
  /** Only series with this text among their labels are taken over. */
  readonly mark: string;
  /** Gauges that stay if there is no new value. */
  readonly lasting: readonly string[];
}

/** Series that are not metrics of `now` are left out, so an `earlier` text of another program does no harm. */
export function addEarlier(now: string, earlier: string, { mark, lasting }: Options): string {
  const before = samplesOf(earlier.split('\n'), mark);
  const lines = now.split('\n');
  const types = new Map<string, string>();
  const summed = lines.map((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    const sample = read(line);
    if (sample === undefined) return line;
    const was = before.get(sample.series);
    before.delete(sample.series);
    if (was === undefined || !adds(types, sample.name)) return line;
    return `${sample.series} ${sumOf(sample, was)}`;
  });
  for (const { series, name, value } of before.values()) {
    const metric = types.has(name) ? name : name.replace(PART, '');
    const isKept = types.has(metric) && (adds(types, name) || lasting.includes(name));
    // The lines of a metric must be together (Prometheus, exposition formats).
    if (isKept) summed.splice(endOf(summed, metric), 0, `${series} ${value}`);
  }
  return summed.join('\n');
}

function sumOf({ name, value }: Sample, was: Sample): number {
  const isCredits = name === METRICS.creditsSpent.name;
  return isCredits ? sumCredits([value, was.value]) : value + was.value;
}

interface Sample {
  readonly series: string;
  readonly name: string;
  readonly value: number;
}

function samplesOf(lines: readonly string[], mark: string): Map<string, Sample> {
  const samples = new Map<string, Sample>();
  for (const line of lines) {
    const sample = read(line);
    if (sample === undefined || !Number.isFinite(sample.value)) continue;
    if (sample.series.includes(mark)) samples.set(sample.series, sample);
  }
  return samples;
}

function read(line: string): Sample | undefined {
  const { series, name, value } = SAMPLE.exec(line)?.groups ?? {};
  if (series === undefined || name === undefined) return undefined;
  return { series, name, value: Number(value) };
}

function adds(types: ReadonlyMap<string, string>, name: string): boolean {
  return types.get(name) === 'counter' || types.get(name.replace(PART, '')) === 'histogram';
}

function endOf(lines: readonly string[], metric: string): number {
  const from = lines.findIndex((line) => line.startsWith(`# TYPE ${metric} `)) + 1;
  const to = lines.findIndex((line, i) => i >= from && (line === '' || line.startsWith('#')));
  return to === -1 ? lines.length : to;
}
