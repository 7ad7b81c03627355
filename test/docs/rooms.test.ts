// A folder is a room: what lies in it is found by looking at its names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const FILES_MAX = 15;

it('no folder of src/ has more files than are seen at a glance', () => {
  const counts = new Map<string, number>();
  const entries = readdirSync('src', { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const folder = join(entry.parentPath, '');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(50);
  expect([...counts].filter(([, count]) => count > FILES_MAX)).toEqual([]);
});

const IN_SRC = readdirSync('src', { recursive: true, encoding: 'utf8' });
const FILE_NAMES: ReadonlySet<string> = new Set(IN_SRC.map((path) => basename(path)));
const MAPS = [
  'ARCHITECTURE.md',
  ...readdirSync('docs/internals').map((name) => `docs/internals/${name}`),
];

it.each(MAPS)('%s names only files and folders that are there', (map) => {
  const spans = [
    ...readFileSync(map, 'utf8').matchAll(/`((?:[\w.-]+\/)*[\w.-]+(?:\.ts|\.mjs|\/))`/g),
  ];
  const missing = spans
    .map(([, path = '']) => path)
    .filter((path) => !['', 'src/'].some((above) => existsSync(above + path)))
    .filter((path) => path.includes('/') || !FILE_NAMES.has(path));
  expect(missing).toEqual([]);
});

it('benches import what the sources still have', () => {
  const imports = readdirSync('bench')
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => [
      ...readFileSync(`bench/${name}`, 'utf8').matchAll(/'\.\.\/dist\/([\w./-]+)\.js'/g),
    ])
    .map(([, path = '']) => path);
  expect(imports.length).toBeGreaterThan(5);
  expect(
    imports.filter((path) => !existsSync(`src/${path}.ts`) && path !== 'bundle/sluice'),
  ).toEqual([]);
});

/** A whole comment that begins a line, or follows code; an address in a text is left as it is. */
const COMMENT = /\/\*\*.*?\*\/|(?<=^|\s)\/\/ .*?$/gms;

/** The names in the code of each file, without its comments. */
const NAMES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  IN_SRC.filter((path) => path.endsWith('.ts')).map((path) => {
    const code = readFileSync(`src/${path}`, 'utf8').replace(COMMENT, '');
    return [`src/${path}`, new Set(code.match(/[A-Za-z_$][\w$]*/g))];
  }),
);

it.each(MAPS)('%s names only functions, types and fields that are there', (map) => {
  const known = new Set([...NAMES.values()].flatMap((names) => [...names]));
  const spans = [...readFileSync(map, 'utf8').matchAll(/`([A-Za-z][\w.]*)`/g)];
  const names = spans
    .flatMap(([, span = '']) => (/\.(ts|mjs|md|json|yaml)$/.test(span) ? [] : span.split('.')))
    .filter((name) => /[a-z][A-Z]/.test(name));
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it.each(MAPS)('%s names what is in the file beside the name', (map) => {
  const pairs = [...readFileSync(map, 'utf8').matchAll(/`(\w+)` in `([\w/-]+\.ts)`/g)];
  const missing = pairs.filter(([, name = '', path = '']) => {
    const end = `/${path.replace(/^src\//, '')}`;
    return ![...NAMES].some(([file, names]) => file.endsWith(end) && names.has(name));
  });
  expect(missing.map(([span]) => span)).toEqual([]);
});
