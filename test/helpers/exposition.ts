// Reads the text format of Prometheus strictly: what a collector would refuse throws here.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(,|$)/y;

/** @throws Error where a line, the order of lines, or a histogram is wrong, or a series stands twice */
export function readExposition(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  const seen = new Set<string>();
  let metric = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const help = /^# HELP (\S+) (.+)$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (help !== null || type !== null) {
      const name = (help ?? type)?.[1] ?? '';
      if (!NAME.test(name)) throw new Error(`no name: ${line}`);
      if (type !== null) {
        if (types.has(name)) throw new Error(`its type is told twice: ${line}`);
        types.set(name, type[2] ?? '');
        metric = name;
      }
      continue;
    }
    const [, name = '', labelText = '', value = ''] = SAMPLE.exec(line) ?? [];
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (family !== metric) throw new Error(`not with its metric (${metric}): ${line}`);
    const sample = { name, labels: readLabels(labelText, line), value: Number(value) };
    if (Number.isNaN(sample.value)) throw new Error(`no number: ${line}`);
    const series = JSON.stringify([name, Object.entries(sample.labels)]);
    if (seen.has(series)) throw new Error(`stands twice: ${line}`);
    seen.add(series);
    samples.push(sample);
  }
  checkHistograms(samples, types);
  return samples;
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text);
    if (match === null) throw new Error(`wrong labels: ${line}`);
    labels[match[1] ?? ''] = match[2] ?? '';
  }
  return labels;
}

function checkHistograms(samples: readonly Sample[], types: ReadonlyMap<string, string>): void {
  for (const [name, type] of types) {
    if (type !== 'histogram') continue;
    for (const { labels, value } of samples.filter((sample) => sample.name === `${name}_count`)) {
      const isOwn = (other: Sample) =>
        other.name === `${name}_bucket` &&
        Object.entries(labels).every(([key, own]) => other.labels[key] === own);
      const buckets = samples.filter(isOwn).map((sample) => sample.value);
      const isRising = buckets.every((count, i) => i === 0 || count >= (buckets[i - 1] ?? 0));
      if (!isRising || buckets.at(-1) !== value) throw new Error(`wrong buckets of ${name}`);
    }
  }
}

/** The value of the one series with these labels, whatever others it has; undefined where there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  if (found.length > 1) throw new Error(`several series of ${name}`);
  return found[0]?.value;
}
