// What a foreign page, another program of the machine and a stranger on the network may try on the pages of `sluice ui`,
// as bytes on sockets, while the one browser that has signed in goes on.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { type Bench, startBench } from '../ui/server/ui-bench.js';
import { memory } from '../webhook/start-listener.js';
import { createChance } from './attacks.js';

const GROWTH_MB_MAX = 8;

/** A connection to the server; what comes back is in `text`. */
async function open({ port }: Bench) {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, closed, text: () => text };
}

/** Sends bytes, and resolves with what came back once the server has closed the connection. */
async function send(bench: Bench, bytes: string | Buffer): Promise<string> {
  const { socket, closed, text } = await open(bench);
  socket.write(bytes);
  await closed;
  return text();
}

it('thousands of odd requests are answered without a bug, a session or memory', async () => {
  const bench = await startBench();
  const browser = await bench.signIn();
  const chance = createChance(20_250_101);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
  const line = (): string => {
    const host = pick([`127.0.0.1:${bench.port}`, 'evil.example', '', 'x'.repeat(300), '[::1']);
    const cookie = pick([
      '',
      `sluice_ui_${bench.port}=x`,
      '='.repeat(2000),
      `a=b;${';'.repeat(99)}`,
    ]);
    const path = pick(['/', '/open?key=%', '/%00', '*', 'http://x/', '/act?'.repeat(50)]);
    const method = pick(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'CONNECT', 'TRACE']);
    const extra = pick(['', 'expect: banana\r\n', 'upgrade: websocket\r\nconnection: upgrade\r\n']);
    const length = pick(['', 'content-length: 3\r\n', 'transfer-encoding: chunked\r\n']);
    return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\norigin: null\r\n${extra}${length}connection: close\r\n\r\nabc`;
  };
  const strike = async (count: number): Promise<string[]> => {
    const answers: string[] = [];
    for (let n = 0; n < count; n += 20) {
      const lines = Array.from({ length: 20 }, () => send(bench, line()));
      answers.push(...(await Promise.all(lines)));
    }
    return answers;
  };
  await strike(200);
  const before = await memory();
  const answers = await strike(1_000);
  const after = await memory();
  const statuses = new Set(answers.map((text) => text.slice(9, 12)));
  expect([...statuses].filter((status) => /^[25]/.test(status))).toEqual([]);
  expect(statuses).toContain('401');
  expect(statuses).toContain('403');
  expect(answers.filter((text) => /^set-cookie/im.test(text))).toEqual([]);
  expect(bench.troubles).toEqual([]);
  expect(bench.sent).toEqual([]);
  expect((await browser.ask('/')).status).toBe(200);
  expect(after.heapMb - before.heapMb).toBeLessThan(GROWTH_MB_MAX);
});

it('a request with two headers Host is refused, whichever of them is the right one', async () => {
  const bench = await startBench();
  const browser = await bench.signIn();
  const own = `127.0.0.1:${bench.port}`;
  const strangers = bench.visits.length;
  for (const hosts of [`host: ${own}\r\nhost: evil.example`, `host: ${own}\r\nHost: ${own}`]) {
    const asked = `GET / HTTP/1.1\r\n${hosts}\r\ncookie: ${browser.cookie}\r\n\r\n`;
    expect(await send(bench, asked)).toMatch(/^HTTP\/1\.1 400 .*two headers Host/s);
  }
  expect(bench.visits.length).toBe(strangers);
});

it('a body that goes on for ever ends at the bound', async () => {
  const bench = await startBench();
  const browser = await bench.signIn();
  const { socket, closed } = await open(bench);
  socket.write(
    `POST /act HTTP/1.1\r\nhost: 127.0.0.1:${bench.port}\r\norigin: http://127.0.0.1:${bench.port}\r\ncookie: ${browser.cookie}\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  let written = 0;
  const fill = (): void => {
    while (!socket.destroyed && written < 2_000 && socket.write(chunk)) written += 1;
  };
  socket.on('drain', fill);
  fill();
  await closed;
  expect(written).toBeLessThan(1_000);
  expect(bench.sent).toEqual([]);
});
