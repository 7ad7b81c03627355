// Writes what is made from code: the reference pages (scripts/docs), the job and dialect schemas, the licences of what we ship, and
// the digest of the newest state file's schema. Tests hold them against it.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { jobJsonSchema } from '../dist/config/job-schema.js';
import { dialectJsonSchema } from '../dist/config/load-dialect.js';
import { newestDigest } from '../dist/store/sqlite/database/check-schema.js';

const root = new URL('../', import.meta.url);
const { renderPages } = await load('scripts/docs/pages.ts');
for (const [path, text] of Object.entries(await renderPages(helpOf, new URL('dist/', root))))
  write(path, text);
write('jobs/job.schema.json', `${JSON.stringify(jobJsonSchema(), null, 2)}\n`);
write('dialects/dialect.schema.json', `${JSON.stringify(dialectJsonSchema(), null, 2)}\n`);
write('THIRD-PARTY-LICENSES', await outputOf('scripts/third-party-licenses.mjs'));
const checkSchema = 'src/store/sqlite/database/check-schema.ts';
const text = readFileSync(new URL(checkSchema, root), 'utf8');
write(checkSchema, text.replace(/(?<=NEWEST_DIGEST = ')[^']*/, newestDigest()));

function write(path, text) {
  writeFileSync(new URL(path, root), text);
}

/** A TypeScript module and what it imports, as one that this Node can run. */
async function load(path) {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(path, root)),
    platform: 'node',
    external: /^[^./]/,
  });
  const { output } = await bundle.generate();
  await bundle.close();
  const folder = new URL('node_modules/.cache/', root);
  mkdirSync(folder, { recursive: true });
  const compiled = new URL('pages.mjs', folder);
  writeFileSync(compiled, output[0].code);
  return import(compiled.href);
}

function helpOf(words) {
  return outputOf('dist/bundle/sluice.js', 'help', ...words);
}

async function outputOf(script, ...args) {
  const path = fileURLToPath(new URL(script, root));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  return stdout;
}
