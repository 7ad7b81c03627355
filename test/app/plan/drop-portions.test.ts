import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type DropWish, dropPortions, LeftOut } from '../../../src/app/plan/drop-portions.js';
import { digestFile } from '../../../src/input/sources/file-bytes.js';
import { openSqliteStore } from '../../../src/store/open-sqlite-store.js';
import { runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const root = tempFolder();
const store = openSqliteStore(join(root, 'state.db'));
afterAll(() => store.close());

let job = '';
let warned: string[] = [];
let left: LeftOut;
const at = (name: string) => join(root, job, name);
const put = (name: string, text: string) => writeFileSync(at(name), `name\n${text}\n`);

beforeEach(() => {
  job = `${Number(job) + 1}`;
  warned = [];
  left = new LeftOut((event) => event.kind === 'run.warned' && void warned.push(event.message));
  mkdirSync(at(''));
});

/** A run of these files, as a process that died left it: not all is read, or all is. */
async function leaveOpen(names: string[], state: 'reading' | 'working' = 'reading') {
  const sources = names.map(at);
  const digests = await Promise.all(sources.map(digestFile));
  const run = await store.startRun(runPlan({ job, sources, digests }), 1);
  if (state === 'working') await store.finishReading(run.id);
  return run;
}

/** What each run would do, as if it did: the names of its files, and the run that it continues. */
async function portions(changes: Partial<DropWish> & { out?: string; pattern?: string } = {}) {
  const { out = 'out-{run}.csv', pattern = '*.csv', ...wish } = changes;
  const settings = { input: [at(pattern)], job, out };
  const all = dropPortions(settings, { store, termsDigest: 't1', again: false, left, ...wish });
  const done: [string[], number | null][] = [];
  for await (const { files, open } of all) {
    done.push([files.map(({ path }) => basename(path)), open?.id ?? null]);
    const digests = files.map(({ digest }) => digest);
    const { id } = open ?? (await store.startRun(runPlan({ job, digests }), 1));
    await store.finishReading(id);
    await store.finishRun(id, 2);
  }
  return done;
}

describe('the runs over a drop folder', () => {
  it('are one over all new files, or one for each', async () => {
    for (const name of ['a.csv', 'b.csv']) put(name, name);
    expect(await portions()).toEqual([[['a.csv', 'b.csv'], null]]);
    put('c.csv', 'c');
    put('d.csv', 'd');
    expect(await portions({ out: '{input}.csv' })).toEqual([
      [['c.csv'], null],
      [['d.csv'], null],
    ]);
    expect(await portions()).toEqual([]);
  });

  it('begin with the one that was cut off, its files and their order, then what is new', async () => {
    for (const name of ['b.csv', 'c.csv']) put(name, name);
    const { id } = await leaveOpen(['b.csv', 'c.csv']);
    put('a.csv', 'a');
    renameSync(at('b.csv'), at('z.csv'));
    expect(await portions()).toEqual([
      [['z.csv', 'c.csv'], id],
      [['a.csv'], null],
    ]);
    expect(await portions()).toEqual([]);
  });

  it('need no file of one whose leads are all in', async () => {
    put('a.csv', 'a');
    const { id } = await leaveOpen(['a.csv'], 'working');
    rmSync(at('a.csv'));
    expect(await portions()).toEqual([[['a.csv'], id]]);
  });

  it('read a file anew that changed before it was read to its end', async () => {
    put('a.csv', 'half');
    await leaveOpen(['a.csv']);
    put('a.csv', 'half and half');
    expect(await portions()).toEqual([[['a.csv'], null]]);
    expect(warned).toEqual([
      expect.stringMatching(/its file .*a\.csv is gone or has changed\. A new run takes over\.$/),
    ]);
    left.throwFirst();
  });

  it('are none, and an error, where a file of the open one is gone and nothing else is there', async () => {
    put('a.csv', 'a');
    const { id } = await leaveOpen(['a.csv']);
    rmSync(at('a.csv'));
    expect(await portions()).toEqual([]);
    expect(() => left.throwFirst()).toThrow(
      `Put it back, or give the run up: sluice cancel ${id}.`,
    );
    put('z.csv', 'a');
    expect(await portions()).toEqual([[['z.csv'], id]]);
  });

  it('are the new ones, and an error, where a file of the open one is gone with its leads', async () => {
    for (const name of ['v1. a.csv', 'b.csv', 'c.csv']) put(name, name);
    await leaveOpen(['b.csv', 'v1. a.csv']);
    put('b.csv', 'other');
    rmSync(at('v1. a.csv'));
    expect(await portions()).toEqual([[['b.csv', 'c.csv'], null]]);
    const sentence = `its file ${at('v1. a.csv')} is gone or has changed. A new run takes over, without its leads`;
    expect(() => left.throwFirst()).toThrow(sentence);
    expect(warned).toEqual([expect.stringContaining(sentence)]);
  });

  it('are none where the pattern is a slip: an error before the first, a warning later', async () => {
    put('a.csv', 'a');
    const slip = { pattern: '*.cvs' };
    await expect(portions(slip)).rejects.toThrow('No file matches the input pattern');
    expect(await portions()).toHaveLength(1);
    expect(await portions(slip)).toEqual([]);
    expect(warned).toEqual([expect.stringContaining('No file matches the input pattern')]);
    rmSync(at('a.csv'));
    expect(await portions()).toEqual([]);
    expect(warned).toHaveLength(1);
  });

  it('are new ones where the open run asks something else', async () => {
    put('a.csv', 'a');
    await leaveOpen(['a.csv']);
    expect(await portions({ termsDigest: 't2' })).toEqual([[['a.csv'], null]]);
  });

  it('take everything again where the user says so, but nothing twice in one command', async () => {
    put('a.csv', 'a');
    expect(await portions()).toHaveLength(1);
    put('b.csv', 'b');
    const { id } = await leaveOpen(['b.csv']);
    expect(await portions({ again: true })).toEqual([
      [['b.csv'], id],
      [['a.csv'], null],
    ]);
    expect(await portions({ again: true })).toEqual([[['a.csv', 'b.csv'], null]]);
  });
});
