import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { html } from '../../../src/html/markup.js';
import { SluiceError } from '../../../src/model/errors.js';
import type { Answer } from '../../../src/ui/page.js';
import { settled } from '../../helpers/driven-clock.js';
import { type Bench, startBench } from './ui-bench.js';

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
  const stream = await browser.follow(at);
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
    await expect.poll(page.events).toEqual([part('0')]);
    await bench.clock.advance(5_000);
    bench.shown.text = '1\nmore';
    await bench.clock.advance(1_000);
    await expect.poll(page.events).toEqual([part('0'), part('1\nmore')]);
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
    await expect.poll(() => page.text().match(/^: still here$/gm)?.length).toBe(4);
  });

  it('ends where it cannot be shown, and is refused for as long', async () => {
    const bench = await startBench();
    const page = await openPage(bench);
    const bug = new Error('a bug');
    bench.shown.error = bug;
    await bench.clock.advance(1_000);
    await expect.poll(page.hasEnded).toBe(true);
    expect(bench.troubles).toEqual([bug]);
    bench.shown.error = new SluiceError('store', 'The database has gone.');
    expect((await page.browser.follow('/counter')).statusCode).toBe(503);
    delete bench.shown.error;
    expect((await page.browser.follow('/counter')).statusCode).toBe(200);
  });

  it('is not asked again and again where nothing of it changes', async () => {
    let asked = 0;
    const answer = async (): Promise<Answer> => {
      asked += 1;
      return { title: 'Still', body: html`` };
    };
    const bench = await startBench({ routes: [{ method: 'GET', path: '/still', answer }] });
    const page = follow(await (await bench.signIn()).follow('/still'));
    await expect.poll(page.hasEnded).toBe(true);
    expect(page.events().at(-1)).toEqual(['final', null]);
    expect(asked).toBe(1);
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
    await bench.clock.advance(1_000);
    await asleep(bench);
    const looks = bench.visits.length;
    await bench.clock.advance(9_000);
    expect(bench.visits).toHaveLength(looks);
    await bench.clock.advance(1_000);
    await expect.poll(() => bench.visits.length).toBe(looks + 1);
  });

  it('is not asked for where the browser reads nothing', async () => {
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
    for (let looks = 0; looks < 30; looks += 1) {
      await bench.clock.advance(1_000);
      await settled();
    }
    expect(bench.visits.length).toBeLessThan(10);
    expect(bench.clock.sleeping()).toBe(0);
    page.stream.resume();
    await asleep(bench);
  });
});
