import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import type { Answer } from '../../../src/ui/server/routes.js';
import { settled } from '../../helpers/driven-clock.js';
import { type Bench, pathOf, startBench } from './ui-bench.js';

/** What came over a stream. */
function follow(stream: IncomingMessage) {
  let text = '';
  let hasEnded = false;
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  stream.on('error', () => undefined);
  stream.on('close', () => {
    hasEnded = true;
  });
  return {
    events: (): [string, unknown][] =>
      [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name = '', data = '']) => [
        name,
        JSON.parse(data),
      ]),
    text: () => text,
    hasEnded: () => hasEnded,
  };
}

/** The page that is open at `/counter`, once it sleeps before its next look. */
async function openPage(bench: Bench, at = '/counter') {
  const browser = await bench.signIn();
  bench.visits.length = 0;
  const stream = await browser.begin(`/live?at=${encodeURIComponent(at)}`);
  const page = { ...follow(stream), stream, browser };
  await asleep(bench);
  return page;
}

async function asleep({ clock }: Bench, pages = 1): Promise<void> {
  await expect.poll(() => clock.sleeping()).toBe(pages);
}

const part = (text: string) => ['part', { id: 'counter', html: `<p id="counter">${text}</p>` }];

describe('an open page', () => {
  it('is told what it shows, and then what has changed', async () => {
    const bench = await startBench();
    const page = await openPage(bench);
    const first = [['trouble', ''], ['title', 'Counter'], part('0')];
    await expect.poll(page.events).toEqual(first);
    await bench.clock.advance(5_000);
    bench.shown.text = '1\nmore';
    await bench.clock.advance(1_000);
    await expect.poll(page.events).toEqual([...first, part('1\nmore')]);
  });

  it('asks what the page asked, with its filters', async () => {
    const bench = await startBench();
    await openPage(bench, '/jobs/a%20b/lines/7?state=found&text=a%26b');
    const [visit] = bench.visits;
    expect(visit?.params).toEqual({ job: 'a b', line: '7' });
    expect(visit?.query.toString()).toBe('state=found&text=a%26b');
  });

  it('is told once more when nothing changes any longer, and then left alone', async () => {
    const bench = await startBench();
    const page = await openPage(bench);
    bench.shown.text = 'the end';
    bench.shown.isFinal = true;
    await bench.clock.advance(1_000);
    await expect.poll(page.hasEnded).toBe(true);
    expect(page.events().slice(-2)).toEqual([part('the end'), ['final', null]]);
    expect(bench.clock.sleeping()).toBe(0);
  });

  it('hears that it is alive where nothing changes', async () => {
    const bench = await startBench();
    const page = await openPage(bench);
    await bench.clock.advance(31_000);
    await expect.poll(() => page.text().match(/^: still here$/gm)?.length).toBe(3);
  });

  it('is told why it cannot be shown, and when it can again', async () => {
    const bench = await startBench();
    const page = await openPage(bench);
    bench.shown.error = new SluiceError('store', 'The database has gone.');
    await bench.clock.advance(2_000);
    await expect.poll(() => page.events().at(-1)).toEqual(['trouble', 'The database has gone.']);
    bench.shown.error = new Error('a bug');
    await bench.clock.advance(1_000);
    await expect.poll(() => page.events().at(-1)?.[1]).toMatch(/terminal/);
    expect(bench.troubles).toHaveLength(1);
    delete bench.shown.error;
    await bench.clock.advance(1_000);
    await expect.poll(() => page.events().at(-1)).toEqual(['trouble', '']);
  });

  it('is not asked again and again where nothing of it changes', async () => {
    let asked = 0;
    const answer = async (): Promise<Answer> => {
      asked += 1;
      return { kind: 'page', title: 'Still', document: () => '', live: [], isFinal: false };
    };
    const bench = await startBench({ routes: [{ method: 'GET', path: '/still', answer }] });
    const page = follow(await (await bench.signIn()).begin('/live?at=/still'));
    await expect.poll(page.hasEnded).toBe(true);
    expect(page.events().at(-1)).toEqual(['final', null]);
    expect(asked).toBe(1);
  });

  it('begins no download that would wait for its reader', async () => {
    const body = new PassThrough();
    const answer = async (): Promise<Answer> => ({
      kind: 'download',
      name: 'table.csv',
      type: 'text/csv',
      body,
    });
    const bench = await startBench({ routes: [{ method: 'GET', path: '/table', answer }] });
    await openPage(bench, '/table');
    expect(body.destroyed).toBe(true);
  });

  it('costs nothing once it is closed', async () => {
    const bench = await startBench();
    const page = await openPage(bench);
    await bench.clock.advance(3_000);
    await expect.poll(() => bench.visits.length).toBe(4);
    page.stream.destroy();
    await asleep(bench, 0);
    const asked = bench.visits.length;
    await bench.clock.advance(60_000);
    expect(bench.visits).toHaveLength(asked);
  });

  it('leaves five times as long as a look took', async () => {
    const bench = await startBench();
    bench.shown.tookMs = 2_000;
    await openPage(bench);
    const looks = bench.visits.length;
    await bench.clock.advance(9_000);
    expect(bench.visits).toHaveLength(looks);
    await bench.clock.advance(1_000);
    await expect.poll(() => bench.visits.length).toBe(looks + 1);
  });

  it('is cut off where the browser reads nothing, and asks nothing meanwhile', async () => {
    const bench = await startBench();
    const page = await openPage(bench);
    page.stream.pause();
    // More than the sockets of both sides hold.
    const large = 'x'.repeat(8_000_000);
    let n = 0;
    Object.defineProperty(bench.shown, 'text', {
      get: () => {
        n += 1;
        return `${n}${large}`;
      },
    });
    await bench.clock.advance(1_000);
    await settled();
    const asked = bench.visits.length;
    await bench.clock.advance(19_000);
    expect(bench.visits).toHaveLength(asked);
    expect(bench.clock.sleeping()).toBe(1);
    await bench.clock.advance(1_500);
    await asleep(bench, 0);
    page.stream.resume();
    await expect.poll(page.hasEnded).toBe(true);
  });

  it('is one of 24 at most', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const first = await browser.begin('/live?at=/counter');
    for (let n = 1; n < 24; n += 1) await browser.begin('/live?at=/counter');
    const refused = await browser.ask('/live?at=/counter');
    expect(refused).toMatchObject({ status: 503, text: expect.stringContaining('Close some') });
    await asleep(bench, 24);
    first.destroy();
    await asleep(bench, 23);
    expect((await browser.begin('/live?at=/counter')).statusCode).toBe(200);
  });

  it.each([
    '/live',
    '/live?at=',
    '/live?at=/nothing',
    '/live?at=/table/x',
    '/live?at=/live',
    '/live/counter',
    '/live?at=/../open',
    '/live?at=/assets/d1/page.js',
  ])('is none at %s', async (path) => {
    const bench = await startBench();
    const browser = await bench.signIn();
    expect((await browser.ask(path)).status).toBe(404);
  });

  it('is no way to use up the link', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const at = encodeURIComponent(pathOf(bench.server.link()));
    expect((await browser.ask(`/live?at=${at}`)).status).toBe(404);
    expect((await bench.ask(`/live?at=${at}`)).status).toBe(401);
    expect((await bench.ask(pathOf(bench.server.link()))).status).toBe(200);
  });
});
