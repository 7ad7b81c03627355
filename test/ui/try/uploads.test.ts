import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { droppedName, findUpload, keepUpload } from '../../../src/ui/try/uploads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const state = join(tempFolder(), 'state.db');
const keep = (name: string) =>
  keepUpload(state, { body: Buffer.from('a\n1\n'), name, at: Date.now() });

it('keeps the name of a dropped file to be shown, and names no file after it', () => {
  const { file, id, job } = keep('../../Kunden\u0007 Mai.xlsx');
  expect(droppedName(state, job)).toBe('Kunden Mai.xlsx');
  expect(findUpload(state, id).label).toBe('Kunden Mai.xlsx');
  expect(readdirSync(dirname(file)).sort()).toEqual(['leads.xlsx', 'name.txt']);
});

it('knows no name where there was none, or it was removed, and makes one that was changed harmless', () => {
  expect(droppedName(state, keep('').job)).toBeNull();
  expect(droppedName(state, 'nightly')).toBeNull();
  expect(droppedName(state, 'try-../../x')).toBeNull();
  const { file, id, job } = keep('leads.csv');
  writeFileSync(join(dirname(file), 'name.txt'), `/etc/\u001B[2J${'x'.repeat(1_000)}`);
  expect(droppedName(state, job)).toMatch(/^\[2Jx+…x+$/);
  rmSync(join(dirname(file), 'name.txt'));
  expect(droppedName(state, job)).toBeNull();
  expect(findUpload(state, id).label).toBe(job);
});
