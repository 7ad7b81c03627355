import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type DropWish, dropPortions, LeftOut } from '../../../src/app/plan/drop-portions.js';
import { systemClock } from '../../../src/app/system-clock.js';
import { lookIntoFolder } from '../../../src/input/sources/drop-folder.js';
import { digestFile } from '../../../src/input/sources/file-bytes.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const root = tempFolder();
const store = openSqliteStore(join(root, 'state.db'));
afterAll(() => store.close());

let job = '';
let warned: string[] = [];
let left: LeftOut;
/** How many files the last command has read to know which are new. */
let hashed = 0;
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
  const terms = { termsDigest: 't1', again: false, verify: false };
  const all = dropPortions(settings, { store, clock: systemClock, left, ...terms, ...wish });
  const done: [string[], number | null][] = [];
  for (;;) {
    const { value, done: isEnd } = await all.next();
    if (isEnd === true) {
      ({ hashed } = value);
      return done;
    }
    const { files, open } = value;
    done.push([files.map(({ path }) => basename(path)), open?.id ?? null]);
    const digests = files.map(({ digest }) => digest);
    const plan = runPlan({ job, digests, terms: wish.termsDigest ?? 't1' });
    const { id } = open ?? (await store.startRun(plan, 1));
    await store.finishReading(id);
    await store.endRun(id, 'finished', 2);
  }
}

describe('the runs over a drop folder', () => {
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
    await expect(portions(slip)).rejects.toMatchObject({ code: 'input' });
    expect(await portions()).toHaveLength(1);
    expect(await portions(slip)).toEqual([]);
    expect(warned).toEqual([expect.stringContaining('*.cvs')]);
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

describe('the files of a drop folder that are done', () => {
  const HOUR_MS = 3_600_000;
  /** Whatever is on the disk is an hour old. */
  const clock = { ...systemClock, now: () => Date.now() + HOUR_MS };
  const known = () => store.hashedFiles(job);

  it('are read no more while they look the same, but with verify or again', async () => {
    for (const name of ['a.csv', 'b.csv']) put(name, name);
    await portions({ clock });
    expect([await portions({ clock }), hashed]).toEqual([[], 0]);
    expect([await portions({ clock, verify: true }), hashed]).toEqual([[], 2]);
    put('c.csv', 'c');
    expect([await portions({ clock }), hashed]).toEqual([[[['c.csv'], null]], 1]);
    expect([await portions({ clock }), hashed]).toEqual([[], 0]);
    const all = [[['a.csv', 'b.csv', 'c.csv'], null]];
    expect([await portions({ clock, again: true, verify: true }), hashed]).toEqual([all, 3]);
  });

  it('are new under other terms, whatever they look like, and where they were never done', async () => {
    put('a.csv', 'a');
    await portions({ clock });
    const asNew = [[['a.csv'], null]];
    expect([await portions({ clock, termsDigest: 't2' }), hashed]).toEqual([asNew, 1]);
    put('b.csv', 'b');
    const { id } = await leaveOpen(['b.csv']);
    expect([await portions({ clock }), hashed]).toEqual([[[['b.csv'], id]], 0]);
    put('c.csv', 'c');
    const cut = await leaveOpen(['c.csv']);
    for await (const _ of dropPortions(
      { input: [at('*.csv')], job, out: 'out.csv' },
      { store, clock, left, termsDigest: 't1', again: false, verify: false },
    )) {
      break;
    }
    await store.endRun(cut.id, 'cancelled', 3);
    expect([await portions({ clock }), hashed]).toEqual([[[['c.csv'], null]], 1]);
  });

  it('are forgotten once they have left the folder', async () => {
    for (const name of ['a.csv', 'b.csv']) put(name, name);
    await portions({ clock });
    renameSync(at('a.csv'), at('z.csv'));
    rmSync(at('b.csv'));
    expect([await portions({ clock }), hashed]).toEqual([[], 1]);
    expect((await known()).map(({ path }) => path)).toEqual([at('z.csv')]);
  });

  it('are found where a look was believed that no longer says the truth, with verify', async () => {
    put('a.csv', 'a');
    await portions({ clock });
    put('a.csv', 'b');
    await portions({ clock, again: true });
    const [file] = await known();
    if (file === undefined) throw new Error('it is known');
    put('a.csv', 'c');
    // What a change would leave that shows in nothing but the bytes.
    const lie = await lookIntoFolder([at('*.csv')]);
    await store.noteHashed(job, [{ ...file, look: lie.known[0]?.look ?? '' }], [], 1);
    expect(await portions({ clock })).toEqual([]);
    expect(await portions({ clock, verify: true })).toEqual([[['a.csv'], null]]);
    expect([await portions({ clock }), hashed]).toEqual([[], 0]);
    expect((await known())[0]?.digest).toBe(lie.known[0]?.digest);
  });
});
