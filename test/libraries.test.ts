import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What other houses keep well, and Sluice does not do itself. */
const GIVEN = ['csv-parse', 'csv-stringify', 'p-limit', 'undici', 'better-sqlite3', 'yargs'];

it('leaves to each given library its work in the product', () => {
  const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`src/${file}`, 'utf8'))
    .join('\n');
  const used = GIVEN.filter((name) =>
    new RegExp(
      `^import (?!type)[^;]* from '${name}(/[^']*)?';$|^  return .* : '${name}';$`,
      'm',
    ).test(code),
  );
  expect(used).toEqual(GIVEN);
});
