// Tables that other programs take up: narrow ones to merge back, several that belong together, and their dictionary.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, hostCommands, openWorkdir } from '../helpers/workdir.js';

hostCommands();
const sandbox = await startSandboxProcess();

const CRM = `first_name,last_name,domain,Record ID
Eve1,Byron,firm1.com,17
Eve2,Byron,firm2.com,18
Eve3,Byron,firm3.com,
Eve4,Byron,firm4.com,17
`;

describe.concurrent('a table to merge back', () => {
  test('has the key first and the columns that are wanted; rows that it does not name are counted', async () => {
    const dir = openWorkdir(sandbox.url).write('crm.csv', CRM);
    const job = ['crm.csv', '--ask', 'find_email', '--key', 'Record ID', '--columns', 'email'];
    const said = [
      'key             1 row has no Record ID',
      'key             1 row has the Record ID of an earlier row',
    ];
    expect((await dir.sluice(['plan', ...job])).stdout).toContain(said.join('\n'));
    const { code, stderr } = await dir.sluice(['enrich', ...job, '--out', 'out.csv']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/table {7}out\.csv \(4 rows\)\n {2}key {9}1 row has no Record ID\n/);
    expect(dir.cells('out.csv').map(([id]) => id)).toEqual(['Record ID', '17', '18', '', '17']);
    expect(dir.header('out.csv')).toEqual(['Record ID', 'email']);
  });

  test('can be written at any time; a run keeps its key', async () => {
    const dir = openWorkdir(sandbox.url).write('crm.csv', CRM);
    await dir.sluice('enrich crm.csv --ask find_email --out out.csv --key domain');
    const again = await dir.sluice('export 1 --out again.csv --json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      rows: 4,
      key: { columns: ['domain'], empty: 0, repeated: 0 },
    });
    expect(dir.text('again.csv')).toBe(dir.text('out.csv'));
    await dir.sluice('export 1 --out two.csv --key last_name --key domain --columns email');
    expect(dir.header('two.csv')).toEqual(['last_name', 'domain', 'email']);
  });

  test('is refused before anything is paid for where the input has no such column', async () => {
    const dir = openWorkdir(sandbox.url).write('crm.csv', CRM);
    const job = ['crm.csv', '--ask', 'find_email', '--out', 'out.csv', '--key', 'RecordId'];
    for (const command of ['plan', 'enrich']) {
      const ended = await dir.sluice([command, ...job]);
      expect(ended.code).toBe(2);
      expect(complaintOf(ended)).toContain(
        'key: the input has no column "RecordId". Did you mean "Record ID"?',
      );
    }
    expect(dir.files()).toEqual(['crm.csv']);
  });
});
