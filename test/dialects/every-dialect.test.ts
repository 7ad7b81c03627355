// Every ready-made dialect writes and reads its transcript exactly. Each file in dialects/ has its transcript beside this
// one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkTranscript } from '../../src/app/platform/check-transcript.js';
import { loadDialect } from '../../src/config/load-dialect.js';
import { asksOf } from '../../src/dialect/custom-asks.js';
import { NEUTRAL_DIALECT, wholeFile } from '../../src/dialect/dialect.js';
import { readTranscript } from '../../src/dialect/transcript/read-transcript.js';
import { isJsonObject, type JsonObject } from '../../src/model/text/json.js';
import { isLong } from '../helpers/long.js';

const NAMES = readdirSync(new URL('../../dialects/', import.meta.url))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length));

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

const NEUTRAL = wholeFile(NEUTRAL_DIALECT);

/** The keys that stand below one that they stand above of in the neutral dialect, as dotted paths. */
function misplacedIn(file: JsonObject, neutral: JsonObject, path = ''): string[] {
  const order = Object.keys(neutral);
  const known = Object.keys(file).filter((key) => order.includes(key));
  const sorted = known.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const own = known.filter((key, i) => key !== sorted[i]).map((key) => path + key);
  const inner = known.flatMap((key) => {
    const [value, base] = [file[key], neutral[key]];
    const isBoth = isJsonObject(value) && isJsonObject(base);
    return isBoth ? misplacedIn(value, base, `${path}${key}.`) : [];
  });
  return [...own, ...inner];
}

/** What stands above each request line and webhook of a transcript. */
function headsOf(transcript: string): string[] {
  const blocks = transcript.split(/\n{2,}/).filter((block) => /^([A-Z]+ \/|WEBHOOK)/m.test(block));
  return blocks.map((block) => block.split(/^(?:[A-Z]+ \/|WEBHOOK)/m)[0] ?? '');
}

test('there are ready-made dialects, each with its transcript', () => {
  expect(NAMES.length).toBeGreaterThan(0);
  const without = NAMES.filter((name) => !existsSync(new URL(`${name}.http`, import.meta.url)));
  expect(without).toEqual([]);
});

/** In `npm test`: one that answers at once, and one that takes many leads; served-transcripts.test.ts has one more. */
const PLAYED = isLong ? NAMES : ['dropcontact', 'lemlist'];

describe.each(NAMES)('%s', (name) => {
  test('says where it is from, when that was read, what is not known, and that it was not tried', () => {
    const [head = ''] = textOf(`../../dialects/${name}.yaml`).split(/^[^#\n]/m);
    expect(head).toMatch(/^# [\w ]+, https:\/\/[\w.]+: /);
    expect(head).toContain('.\n# From the documentation; not tried against the service.\n#\n');
    expect(head).toMatch(/#\n# Sources, read 20\d\d-\d\d-\d\d:\n#   .*https:\/\//);
    expect(head).toMatch(/\n# Not known: /);
    expect(head).toMatch(/\n#\n# url: https:\/\/\S+\n$/);
  });

  test('has its keys in the order of the neutral dialect, and no bracket over several lines', () => {
    const text = textOf(`../../dialects/${name}.yaml`);
    const misplaced = misplacedIn(parse(text) as JsonObject, NEUTRAL);
    expect(misplaced).toEqual([]);
    expect(text.split('\n').filter((line) => /^[^#]*[[{](?: *#.*)?$/.test(line))).toEqual([]);
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  test('has a public source for each exchange', () => {
    const heads = headsOf(textOf(`${name}.http`));
    expect(heads.length).toBeGreaterThan(3);
    expect(heads.filter((head) => !/^# source: https:\/\//m.test(head))).toEqual([]);
  });

  test.runIf(PLAYED.includes(name))(
    'writes and reads every exchange of its transcript as "sluice dialect check" plays it',
    async () => {
      const [dialect, transcript] = [pathOf(`../../dialects/${name}.yaml`), pathOf(`${name}.http`)];
      const { exchanges } = await checkTranscript(dialect, transcript);
      expect(exchanges.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
      const asks = asksOf(await loadDialect(name));
      const parts = readTranscript(textOf(`${name}.http`), `${name}.http`, asks);
      const said = parts.map(({ expected, line }, i) => [
        line,
        expected.length,
        exchanges[i]?.call,
      ]);
      // What an answer about leads means is said there, and not only that it can be read.
      const others = /^(?:account|hooks|lists)\b/;
      expect(said.filter(([, count, call]) => count === 0 && !others.test(String(call)))).toEqual(
        [],
      );
      expect(parts.flatMap(({ expected }) => expected.map(({ kind }) => kind))).toContain('found');
    },
  );
});
