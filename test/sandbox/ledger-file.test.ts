import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AcceptedRecord, openLedgerFile } from '../../src/sandbox/ledger-file.js';

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'ledger.ndjson');
}

function makeRecord(id: string, companyName = 'Acme'): AcceptedRecord {
  const inputs = { firstName: 'Jane', lastName: 'Doe', companyName };
  return { id, ask: ['find_email'], inputs, acceptedAt: 1, readyAt: 2 };
}

function write(path: string, records: readonly AcceptedRecord[]): void {
  const file = openLedgerFile({ path, seed: 1, onRecord: () => undefined });
  for (const record of records) file.append(record);
  file.close();
}

function read(path: string, seed = 1): AcceptedRecord[] {
  const records: AcceptedRecord[] = [];
  openLedgerFile({ path, seed, onRecord: (record) => records.push(record) }).close();
  return records;
}

describe('openLedgerFile', () => {
  it('gives back what was appended, over several openings and across chunks', () => {
    const path = newPath();
    const records = Array.from({ length: 2000 }, (_, index) =>
      makeRecord(`enr_${index}`, `日本\u2028\n${'x'.repeat(index % 200)}`),
    );
    write(path, records.slice(0, 700));
    write(path, records.slice(700));
    expect(read(path)).toEqual(records);
  });

  it('writes a line through before append returns', () => {
    const path = newPath();
    const file = openLedgerFile({ path, seed: 1, onRecord: () => undefined });
    file.append({ ...makeRecord('enr_1'), webhookUrl: 'http://127.0.0.1/' });
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
    expect(readFileSync(path, 'utf8')).toContain('"webhookUrl":"http://127.0.0.1/"');
    file.close();
    file.close();
  });

  it('survives a line torn at any byte, and goes on after it', () => {
    const path = newPath();
    write(path, [makeRecord('enr_1'), makeRecord('enr_2', 'Café')]);
    const whole = readFileSync(path);
    const lastLine = whole.lastIndexOf(10, -2) + 1;
    for (let end = lastLine; end < whole.length; end += 1) {
      writeFileSync(path, whole.subarray(0, end));
      expect(read(path)).toEqual([makeRecord('enr_1')]);
      write(path, [makeRecord('enr_3')]);
      expect(read(path)).toEqual([makeRecord('enr_1'), makeRecord('enr_3')]);
    }
  });

  it('begins anew when the very first line was torn', () => {
    const path = newPath();
    writeFileSync(path, '{"kind":"ope');
    write(path, [makeRecord('enr_1')]);
    expect(read(path)).toEqual([makeRecord('enr_1')]);
  });

  it.each(['not json', '{}', '{"kind":"accepted","id":"enr_1"}', ''])(
    'names the line that is no ledger line: %j',
    (line) => {
      const path = newPath();
      write(path, [makeRecord('enr_1')]);
      appendFileSync(path, `${line}\n`);
      expect(() => read(path)).toThrow(`${path}, line 3 is not a line of a sandbox ledger`);
    },
  );

  it('refuses a file of another seed, and one that cannot be opened', () => {
    const path = newPath();
    write(path, [makeRecord('enr_1')]);
    expect(() => read(path, 2)).toThrow('was written with seed 1, and this sandbox has seed 2');
    expect(() => read(join(path, 'below-a-file'))).toThrow('cannot be opened');
  });
});
