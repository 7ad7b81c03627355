// Compound files, as old Office programs write them, and new ones around a workbook with a password.
import { readSync } from 'node:fs';
import { refuse } from './foreign-file.js';
import type { Source } from './open-source.js';

/** The place of the directory of a compound file, counted in sectors after the first; [MS-CFB], 2.2. */
const SECTOR_SHIFT_AT = 30;
const DIRECTORY_AT = 48;
const DIRECTORY_BYTES = 8 * 1024;

/** @throws SluiceError `input`, always: the file is a workbook with a password, or an old one */
export async function refuseCompound(source: Source): Promise<never> {
  const file = await source.openWhole();
  try {
    const head = Buffer.alloc(512);
    readSync(file.fd, head, 0, head.length, 0);
    const sector = 2 ** Math.min(12, head.readUInt16LE(SECTOR_SHIFT_AT));
    const directory = Buffer.alloc(DIRECTORY_BYTES);
    const at = (head.readUInt32LE(DIRECTORY_AT) + 1) * sector;
    readSync(file.fd, directory, 0, directory.length, at);
    const has = (name: string) => directory.includes(Buffer.from(`${name}\0`, 'utf16le'));
    if (has('EncryptedPackage')) refuse(source.path, `is a workbook with a password; ${SAVE_OPEN}`);
    const isOld = has('Workbook') || has('Book');
    refuse(source.path, isOld ? `is an old Excel file (.xls); ${SAVE_AS_XLSX}` : OLD_OR_LOCKED);
  } finally {
    file.close();
  }
}

const SAVE_OPEN = 'open it in a spreadsheet program and save it without one';
const SAVE_AS_XLSX =
  'open it in a spreadsheet program and save it as an Excel workbook (.xlsx) or as CSV';
const OLD_OR_LOCKED = `is an old Excel file (.xls), or one with a password; ${SAVE_AS_XLSX}, without a password`;
