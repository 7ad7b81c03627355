import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInput } from '../../../src/app/plan/read-input.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { resolveJobSettings } from '../../../src/app/settings/job-settings.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { SourceRecord } from '../../../src/model/lead.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const TEXT = 'first_name,size\nada,3\nbob,4\n';
const FILE = join(tempFolder(), 'leads.csv');
writeFileSync(FILE, TEXT);

function open(input: string, changes: object) {
  const job = { input, ask: ['find_email' as const], url: 'sandbox', ...changes };
  const settings = resolveJobSettings('nightly', job, readEnvironment({}));
  async function* pipe() {
    yield new TextEncoder().encode(TEXT);
  }
  return readInput(settings, {
    dialects: [NEUTRAL_DIALECT],
    standardInput: pipe(),
    store: undefined,
  });
}

async function read(input: string, changes: object): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  const reader = await open(input, changes);
  for await (const batch of reader.batches()) records.push(...batch.records);
  return records;
}

const list = (where: string) => ({ list: { name: 'Warm', where } });

describe.each([
  ['a file', FILE],
  ['a pipe', '-'],
])('the leads of %s', (_, input) => {
  it('are read where every column is there, ours among them', async () => {
    const choice = list('size > 3 and email is not empty');
    expect((await read(input, { ...choice, map: { firstName: 'first_name' } })).length).toBe(2);
  });

  it.each([
    ['the choice names', list('sise > 3'), /no column sise in the output\. Did you mean "size"\?/],
    ['the mapping names', { map: { firstName: 'nome' } }, /nome/],
  ])('are not, where a column is missing that %s', async (__, changes, said) => {
    await expect(read(input, changes)).rejects.toThrow(said);
  });
});

it('a file is refused before it is read', async () => {
  await expect(open(FILE, list('sise > 3'))).rejects.toThrow(/no column sise/);
});

it('a file with more columns than its XLSX would have is refused before it is read', async () => {
  const names = Array.from({ length: 16_380 }, (_, n) => `c${n}`).join(',');
  const wide = join(tempFolder(), 'wide.csv');
  writeFileSync(wide, `first_name,size,${names}\nada,3\n`);
  await expect(open(wide, { out: 'out.xlsx' })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(
      /^out\.xlsx would have 16\d{3} columns, and XLSX ends at 16384\./,
    ),
  });
  await open(wide, { out: 'out.parquet' });
  await open(wide, { out: 'out.xlsx', columns: ['size', 'email'] });
});
