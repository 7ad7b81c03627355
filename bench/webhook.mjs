// npm run build && node bench/webhook.mjs [DELIVERIES]: how many deliveries a second the listener stores and
// answers, each with one enrichment, over 64 connections. The listener is a process of its own over a real
// state file; every answer waits for a commit that is synced to disk, as always.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inFolder, record, round } from './kit.mjs';

const CONNECTIONS = 64;
const WARM_UP = 2_000;

/** One result with a profile of six positions, in ASCII (docs/platform-api.md, Enrichment result). */
const TEMPLATE = JSON.stringify({
  type: 'enrichmentDone',
  data: [
    {
      id: 'enr_',
      data: {
        find_email: { email: 'ada.lovelace@example.com', status: 'deliverable' },
        find_phone: { phone: '+33123456789' },
        social_enrichment: {
          socialUrl: 'https://social.example/in/ada-lovelace',
          socialMemberId: 123456789,
          firstName: 'Ada',
          lastName: 'Lovelace',
          locationName: 'London',
          tagline: 'Writes programs for engines that are still to be built',
          summary: 'Mathematics, music and machines. '.repeat(20),
          skills: 'analysis, translation, programming',
          companyName: 'Analytical Engines',
          companyDomain: 'example.com',
          positionGroups: Array.from({ length: 6 }, (_, i) => ({
            company: {
              id: 1000 + i,
              name: `Company ${i}`,
              socialUrl: `https://social.example/company/${i}`,
              domain: `company${i}.example`,
              website: `https://www.company${i}.example`,
              industry: 'Computer software',
              description: 'Builds engines. '.repeat(8),
              employeesOnSocial: 250,
              foundedOn: 1990 + i,
              size: '201-500',
            },
            date: {
              start: { month: 3, year: 2000 + i },
              end: i === 0 ? {} : { month: 2, year: 2001 + i },
            },
            profilePositions: [
              {
                title: 'Head of programs',
                description: 'Plans, writes and checks programs. '.repeat(3),
                companyName: `Company ${i}`,
                date: { start: { month: 3, year: 2000 + i }, end: {} },
              },
            ],
          })),
        },
      },
    },
  ],
});

if (process.argv[2] === 'listener') await listen(process.argv[3], Number(process.argv[4]));
else await measure(Number(process.argv[2] ?? 20_000));

/** The process that is measured. */
async function listen(statePath, leads) {
  const { dialectSchema } = await import('../dist/dialect/dialect.js');
  const { createKeyring } = await import('../dist/identity/keyring.js');
  const { openSqliteStore } = await import('../dist/store/sqlite/open-sqlite-store.js');
  const { openListener } = await import('../dist/webhook/open-listener.js');
  const store = openSqliteStore(statePath);
  const keyring = createKeyring(await store.signingKey());
  const scope = keyring.scopeOf('bench');
  let groups = 0;
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    keyring,
    proof: { webhooks: dialectSchema.parse({}).webhooks, secret: undefined, key: undefined },
    now: Date.now,
    keep: async (arrivals) => {
      await store.keepArrivals(arrivals);
      groups += 1;
    },
    checkKeeping: () => store.checkWriting(),
    instance: 'bench',
  });
  const report = async () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    await listener.close();
    const rows = await store.countPending();
    await store.close();
    process.send({ rows, groups, cpuMs: (userCPUTime + systemCPUTime) / 1000, maxRSS });
    process.disconnect();
  };
  process.on('message', () => void report());
  // One key keeps no more than a lead can need.
  const paths = Array.from(
    { length: leads },
    (_, i) => `/hooks/${keyring.seal({ kind: 'enrichment', scope, id: i + 1 })}`,
  );
  process.send({ port: listener.port, paths });
}

async function measure(deliveries) {
  await inFolder(async (folder) => {
    const child = fork(fileURLToPath(import.meta.url), [
      'listener',
      join(folder, 'state.db'),
      String(WARM_UP + deliveries),
    ]);
    const [{ port, paths }] = await once(child, 'message');
    await sendAll(port, paths.slice(0, WARM_UP));
    const startedAt = performance.now();
    const waits = await sendAll(port, paths.slice(WARM_UP));
    const seconds = (performance.now() - startedAt) / 1000;
    child.send('stop');
    const [{ rows, groups, cpuMs, maxRSS }] = await once(child, 'message');
    if (rows !== deliveries + WARM_UP) throw new Error('Not every delivery was stored.');
    waits.sort();
    record('webhook', {
      deliveries,
      warm_up: WARM_UP,
      bytes_each: bodyOf(0).length,
      connections: CONNECTIONS,
      sync: 'FULL',
      seconds: round(seconds),
      deliveries_per_second: Math.round(deliveries / seconds),
      answer_ms_p50: round(waits[Math.floor(deliveries * 0.5)]),
      answer_ms_p99: round(waits[Math.floor(deliveries * 0.99)]),
      rows_stored: rows,
      deliveries_per_sync: round(rows / groups),
      cpu_ms_per_delivery: round(cpuMs / rows),
      peak_memory_mb: Math.round(maxRSS / 1024),
    });
  });
}

/** Bare sockets: an HTTP client would cost more than what is measured. Resolves with every wait in ms. */
async function sendAll(port, paths) {
  const count = paths.length;
  const waits = new Float64Array(count);
  let next = 0;
  const lane = async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    await once(socket, 'connect');
    await new Promise((resolve, reject) => {
      let n = 0;
      let sentAt = 0;
      const send = () => {
        n = next;
        next += 1;
        if (n >= count) return resolve();
        const body = bodyOf(n);
        sentAt = performance.now();
        socket.write(
          `POST ${paths[n]} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      };
      socket.on('data', (text) => {
        if (!text.startsWith('HTTP/1.1 200 ') || !text.endsWith('{"received":true}')) {
          return reject(new Error(`The listener answered: ${String(text)}`));
        }
        waits[n] = performance.now() - sentAt;
        send();
      });
      socket.on('error', reject);
      send();
    });
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return waits;
}

function bodyOf(n) {
  return TEMPLATE.replace('enr_', `enr_${String(n).padStart(12, '0')}`);
}
