import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LedgerLine, openLedgerFile } from '../../../src/sandbox/ledger/ledger-file.js';
import { tempFolder } from '../../helpers/temp-folder.js';

function newPath(): string {
  return join(tempFolder(), 'ledger.ndjson');
}

function makeRecord(id: string, companyName = 'Acme'): LedgerLine {
  const inputs = { firstName: 'Jane', lastName: 'Doe', companyName };
  return { kind: 'accepted', id, ask: ['find_email'], inputs, acceptedAt: 1, readyAt: 2 };
}

function write(path: string, lines: readonly LedgerLine[]): void {
  const file = openLedgerFile({ path, seed: 1, onLine: () => undefined });
  for (const line of lines) file.append([line]);
  file.close();
}

function read(path: string, seed = 1): LedgerLine[] {
  const lines: LedgerLine[] = [];
  openLedgerFile({ path, seed, onLine: (line) => lines.push(line) }).close();
  return lines;
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

  it.skipIf(process.platform === 'win32')('is for its owner alone: it holds names', () => {
    const path = newPath();
    write(path, []);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('writes a line through before append returns', () => {
    const path = newPath();
    const file = openLedgerFile({ path, seed: 1, onLine: () => undefined });
    file.append([makeRecord('enr_1'), { kind: 'delivered', id: 'enr_1' }]);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
    expect(readFileSync(path, 'utf8')).toContain('"companyName":"Acme"');
    file.close();
    file.close();
    expect(() => file.append([makeRecord('enr_2')])).toThrow('closed');
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

  it.each(['my notes', '{"kind":"accepted"'])(
    'leaves alone what is no ledger and ends without a line end: %s',
    (text) => {
      const path = newPath();
      writeFileSync(path, text);
      expect(() => read(path)).toThrow(`${path} ends in something that is no line`);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

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
