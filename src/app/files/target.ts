import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AT_END, type FilesAtEnd, FURTHER_TABLES, type FurtherNames } from '../../model/run.js';
import type { WrittenRole } from '../../ports/store/files.js';

export type Purpose = WrittenRole | 'metrics' | 'backup' | 'invoice' | 'job' | 'example';

export interface Write {
  readonly path: string;
  readonly purpose: Purpose;
}

export interface TableFiles extends FilesAtEnd {
  readonly out?: string | undefined;
  readonly further?: FurtherNames | undefined;
}

export function tableWrites(
  { out, further = {}, ...others }: TableFiles,
  rejects: string | null,
): readonly Write[] {
  const tables: Write[] = [
    ...(out === undefined ? [] : [{ path: out, purpose: 'table' as const }]),
    ...FURTHER_TABLES.map((purpose) => ({ path: further[purpose] ?? '-', purpose })),
  ].filter(({ path, purpose }) => purpose === 'table' || path !== '-');
  const beside: Write[] = rejects === null ? [] : [{ path: rejects, purpose: 'rejects' }];
  const atEnd = AT_END.flatMap((purpose): Write[] => {
    const path = others[purpose];
    return path === undefined ? [] : [{ path, purpose }];
  });
  return [...tables, ...beside, ...atEnd];
}

export interface Target extends Write {
  readonly place: string;
  readonly found: Stats | undefined;
}

/** The targets without standard output, `-`. */
export function targetsOf(writes: readonly Write[]): Target[] {
  return writes
    .filter(({ path }) => path !== '-')
    .map((write) => ({ ...write, place: placeOf(write.path), found: find(write.path) }));
}

function find(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function isAt({ place, found }: Target, path: string): boolean {
  if (place === path || place === placeOf(path)) return true;
  if (found === undefined) return false;
  const other = find(path);
  return other !== undefined && other.dev === found.dev && other.ino === found.ino;
}

/** The real path, the same for every spelling. */
export function placeOf(path: string): string {
  const whole = resolve(path);
  for (const known of [whole, dirname(whole)]) {
    try {
      return known === whole ? realpathSync(whole) : join(realpathSync(known), basename(whole));
    } catch {
      // The folder of a missing file may exist.
    }
  }
  return whole;
}

/** The beginning of a file, of so many bytes; empty if it cannot be read. */
export function headOf(path: string, length: number): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
