// The comments of the code against the documents that they cite, as in (docs/platform-api.md, Webhook secret).
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const CITATION = /((?:docs\/[\w/-]+|ARCHITECTURE)\.md), ([A-Z].{0,80})/g;

const sources = ['src', 'test', 'bench', 'scripts', 'examples'].flatMap((folder) =>
  filesIn(folder).filter((path) => /\.(ts|mjs)$/.test(path)),
);
const documents = [...readdirSync('.'), ...filesIn('docs')].filter((path) => path.endsWith('.md'));
/** Each with a comment of several lines in one. */
const texts = sources.map((path) => ({
  path,
  text: readFileSync(path, 'utf8').replace(/\n\s*(?:\/\/|\*) ?/g, ' '),
}));

it('comments cite headings that are there', () => {
  const headings = new Map(documents.map((path) => [path, headingsIn(path)]));
  const citations = texts.flatMap(({ path, text }) =>
    [...text.matchAll(CITATION)].map(([, page = '', cited = '']) => ({ path, page, cited })),
  );
  const wrong = citations.filter(
    ({ page, cited }) =>
      !headings
        .get(page)
        ?.some((one) => cited.startsWith(one) && /^([).:;,]|$)/.test(cited.slice(one.length))),
  );
  expect(citations.length).toBeGreaterThan(80);
  expect(wrong).toEqual([]);
});

it('comments cite documents that are there', () => {
  const names = new Set(documents.map((path) => basename(path)));
  const missing = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/[\w-]+\.md\b/g)]
      .filter(([name]) => !names.has(name))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Without those of packages: the peers of the benches have some. */
function filesIn(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => !path.includes('node_modules')).map((path) => join(folder, path));
}

function headingsIn(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}
