// A folder of its own for each test, removed afterwards, and the plainest table to write into it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { TableWriterOptions } from '../../src/output/open-table-writer.js';
import type { OutputColumn, OutputKind } from '../../src/ports/table-writer.js';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-output-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function column(name: string, kind: OutputKind = 'text'): OutputColumn {
  return { name, key: name, kind };
}

export function writerOptions(more: Partial<TableWriterOptions> = {}): TableWriterOptions {
  const standardOutput = new PassThrough();
  return { bom: false, excel: false, formulaGuard: true, standardOutput, ...more };
}
