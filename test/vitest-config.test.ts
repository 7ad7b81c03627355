// Which suite runs what: a test that is only in the long one must be in that.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import config from '../vitest.config.js';

const TESTS = fileURLToPath(new URL('.', import.meta.url));
const OF_LONG = ['inBrief', 'isLong', 'tries', 'LOOKS', 'SCHEMES'].join('|');

it('has every file that has more for the long suite there as well', () => {
  const named = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test?.name === 'long'
      ? (project.test.include ?? [])
      : [],
  );
  const having = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) =>
      new RegExp(`^import [^;]*\\b(${OF_LONG})\\b[^;]*;$`, 'm').test(
        readFileSync(TESTS + file, 'utf8'),
      ),
    );
  expect(having.length).toBeGreaterThan(20);
  expect(having.filter((file) => !named.includes(`test/${file}`))).toEqual([]);
});
