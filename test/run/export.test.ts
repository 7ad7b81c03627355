import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../src/identity/domain-owner.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { rowMaker } from '../../src/model/columns/fill.js';
import { outputColumns, REJECT_COLUMNS } from '../../src/model/columns/output-columns.js';
import { openTableWriter } from '../../src/output/open-table-writer.js';
import type { TableWriter } from '../../src/ports/table-writer.js';
import { answerPages, exportRejects, exportRows } from '../../src/run/export.js';
import { ingest } from '../../src/run/ingest.js';
import { processRun } from '../../src/run/process-run.js';
import type { RunContext } from '../../src/run/run-context.js';
import { names, people, peopleWith, readerOf } from '../helpers/people.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { createWorld, openProcess } from '../helpers/test-run.js';

const RULES = { registrableDomain, domainOwner };

const folder = tempFolder();
const SHAPE = { kind: 'current' } as const;
const OPTIONS = { bom: false, excel: false, formulaGuard: true, standardOutput: new Writable() };
let fileCount = 0;

function newPath(): string {
  fileCount += 1;
  return join(folder, `out-${fileCount}.csv`);
}

async function exportTo(path: string, { store, run: { id } }: RunContext): Promise<number> {
  const run = await store.findRun(id);
  if (run === null) throw new Error('no run');
  const writer = await openTableWriter(path, outputColumns(run.columns, SHAPE), OPTIONS);
  const rowsOf = rowMaker(run.columns, { shape: SHAPE }, RULES);
  return exportRows(answerPages(store, run), writer, rowsOf);
}

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).trimEnd().split(/\r?\n/);
}

/** A writer that keeps what it is told, and may fail. */
function memoryWriter(failing?: 'write' | 'commit') {
  const calls: string[] = [];
  const call = (name: string) => async (): Promise<void> => {
    calls.push(name);
    if (name === failing) throw new Error(`${name} failed`);
  };
  const writer: TableWriter = {
    write: call('write'),
    end: call('end'),
    commit: call('commit'),
    discard: call('discard'),
    changes: () => [],
  };
  return { calls, writer };
}

describe('exportRows', () => {
  it('writes every line of the input in its order, over many pages, whatever came back first', async () => {
    const world = createWorld(folder, {
      read: (who, n) => (n < who.length ? 'pending' : 'filled'),
    });
    const { context } = await openProcess(world, { concurrency: 16 });
    const all = [...names(60), '', ...names(60, 'bb'), 'a1'];
    await world.clock.drive(processRun(context, readerOf(people(all)), false));
    const path = newPath();
    expect(await exportTo(path, context)).toBe(all.length);
    const [header, ...rows] = await linesOf(path);
    expect(header).toMatch(/^first_name,last_name,domain,/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(all);
    expect(rows[0]).toContain('a1@example.com');
  });

  it('a writer that fails is told to discard, is never committed, and its reason is heard', async () => {
    const { context } = await openProcess(createWorld(folder));
    await ingest(context, readerOf(people(names(250))));
    const run = async (failing?: 'write' | 'commit') => {
      const { calls, writer } = memoryWriter(failing);
      const rowsOf = rowMaker(context.run.columns, { shape: SHAPE }, RULES);
      const pages = answerPages(context.store, context.run);
      const result = await exportRows(pages, writer, rowsOf).catch((error: Error) => error.message);
      return [result, ...calls];
    };
    expect(await run('write')).toEqual(['write failed', 'write', 'discard']);
    expect(await run('commit')).toEqual([
      'commit failed',
      'write',
      'write',
      'write',
      'commit',
      'discard',
    ]);
    expect((await run()).slice(-2)).toEqual(['commit', 'discard']);
  });
});

describe('exportRejects', () => {
  it('writes every reject in input order, over many pages', async () => {
    const { context } = await openProcess(createWorld(folder));
    const rejects = names(230).map((_, i) => ({
      source: 0,
      line: i + 2,
      reason: 'unclosed_quote',
      raw: `"x${i}`,
    }));
    await ingest(context, readerOf(peopleWith(['ada'], rejects, 500)));
    const path = newPath();
    const writer = await openTableWriter(path, REJECT_COLUMNS, OPTIONS);
    await exportRejects(context.store, context.run, writer);
    const [, ...rows] = await linesOf(path);
    expect(rows).toHaveLength(230);
    expect(rows.map((row) => Number(row.split(',')[1]))).toEqual(rejects.map(({ line }) => line));
    expect(rows[0]).toContain('leads.csv');
  });
});
