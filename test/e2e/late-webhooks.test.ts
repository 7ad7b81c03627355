// Webhooks that come when no run waits for them any more: after the request was sent once more, after a prune,
// after their person was forgotten; one that comes to the wrong address; and one that comes when the listener is another
// process by now. The platform is a small one, so that each comes at a certain moment.
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { freePort } from '../helpers/free-port.js';
import { isLong } from '../helpers/long.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { refuseDeliveries } from '../helpers/state.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const FLAGS =
  '--ask find_email --set rate=off --state state.db --collect webhook --submit single --set claim-wait=1ms --json';
const SCHEMA = { schema: {}, properties: [] };

interface Taken {
  readonly ticket: string;
  readonly callbackUrl: string;
}

/** Takes every request on; of those that `isLost` names, by their number from 1, no answer comes back. */
async function openShop(
  isLost: (nth: number) => boolean,
  hasListener = true,
  isRefused: (nth: number) => boolean = () => false,
) {
  const taken: Taken[] = [];
  const server = await startServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://platform');
    if (request.method !== 'POST') {
      const isRead = url.pathname.startsWith('/enrich/');
      response.writeHead(isRead ? 202 : 200).end(JSON.stringify(isRead ? {} : SCHEMA));
      return;
    }
    const nth = taken.length + 1;
    const ticket = `enr_${nth}`;
    taken.push({ ticket, callbackUrl: url.searchParams.get('webhookUrl') ?? '' });
    if (isRefused(nth)) response.writeHead(422).end(JSON.stringify({ error: 'asked already' }));
    else if (isLost(nth)) request.socket.destroy();
    else response.end(JSON.stringify({ id: ticket }));
  });
  const dir = openWorkdir(server.url);
  const port = await freePort();
  if (hasListener) {
    const listener = dir.start(`listen --listen ${port} --state state.db`, { isService: true });
    await listener.says('Ctrl+C stops it');
  }
  const command = (input: string, flags = '') =>
    `enrich ${input} --out out.csv --force --set listen=${port} ${FLAGS}${flags}`;
  /** Sends the result of the `nth` request to the address of the request `to`. Returns the status of the answer. */
  const post = async (nth: number, email = `eve${nth}@example.com`, to = nth): Promise<number> => {
    const ticket = taken[nth - 1]?.ticket;
    const callbackUrl = taken[to - 1]?.callbackUrl ?? '';
    const data = [{ id: ticket, data: { find_email: { email, status: 'deliverable' } } }];
    const body = JSON.stringify({ type: 'enrichmentDone', data });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(callbackUrl, { method: 'POST', headers, body })).status;
  };
  const deliver = async (...words: Parameters<typeof post>): Promise<void> => {
    expect(await post(...words)).toBe(200);
  };
  return {
    dir,
    port,
    taken,
    post,
    deliver,
    run: (input: string, flags?: string) => dir.sluice(command(input, flags)),
    /** Starts it, and goes on once so many requests have been taken. */
    runUntil: async (count: number, input: string, flags?: string) => {
      const run = dir.start(command(input, flags));
      const isThere = () => expect(taken.length).toBeGreaterThanOrEqual(count);
      await vi.waitFor(isThere, { timeout: COMMAND_MS, interval: 5 });
      return run;
    },
    journal: async () => {
      const { stdout } = await dir.sluice('status --deliveries --state state.db --ndjson');
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
    },
  };
}

describe.concurrent('a webhook that comes late', () => {
  test('before --resend-uncertain claims its lead, and nothing is sent again', async () => {
    const { dir, deliver, run, taken } = await openShop((nth) => nth === 1);
    dir.write('leads.csv', csv(people(1)));
    expect((await run('leads.csv')).code).toBe(1);
    await deliver(1);
    const again = await run('leads.csv', ' --resend-uncertain');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(taken).toHaveLength(1);
    expect(dir.rows('out.csv')).toMatchObject([{ sluice_status: 'found', enrichment_id: 'enr_1' }]);
  });

  test('is answered only once it is kept, and counts when it comes again', async () => {
    const { dir, deliver, post, run } = await openShop(() => true);
    dir.write('leads.csv', csv(people(1)));
    await run('leads.csv');
    const makeRoom = refuseDeliveries(dir.at('state.db'));
    expect(await post(1)).toBe(503);
    makeRoom();
    await deliver(1);
    expect(await run('leads.csv')).toMatchObject({ code: 0 });
    expect(dir.rows('out.csv')).toMatchObject([{ sluice_status: 'found' }]);
  });

  test('after --resend-uncertain has sent its lead once more answers it, and the second one changes nothing', async () => {
    const { dir, deliver, journal, run, runUntil, taken } = await openShop((nth) => nth === 1);
    dir.write('leads.csv', csv(people(1)));
    await run('leads.csv');
    const again = await runUntil(2, 'leads.csv', ' --resend-uncertain');
    await deliver(1);
    const ended = await again.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ credits: 5, by_status: { found: 1 } });
    await deliver(2, 'other@example.com');
    expect(JSON.parse((await run('leads.csv', ' --resend-uncertain')).stdout)).toMatchObject({
      credits: 0,
    });
    expect(dir.rows('out.csv')).toMatchObject([{ email: 'eve1@example.com', source: 'cache' }]);
    expect(taken).toHaveLength(2);
    expect(await journal()).toMatchObject([{ settled: 1, unchanged: 0, unknown: 0, times: 1 }]);
    const { stdout } = await dir.sluice('status --deliveries --state state.db');
    expect(stdout).toContain('\n1 delivery more came and was not kept: the lead had its answer');
  });

  test('after its lead was sent once more, and refused as a repetition, still answers it', async () => {
    const { dir, deliver, run, taken } = await openShop(
      (nth) => nth === 1,
      true,
      (nth) => nth === 2,
    );
    dir.write('leads.csv', csv(people(1)));
    await run('leads.csv');
    expect(await run('leads.csv', ' --resend-uncertain')).toMatchObject({ code: 1 });
    expect(dir.rows('out.csv')).toMatchObject([{ sluice_status: 'failed' }]);
    await deliver(1);
    // The next run sends nothing: what has come counts before.
    expect(await run('leads.csv')).toMatchObject({ code: 0 });
    expect(dir.rows('out.csv')).toMatchObject([
      { sluice_status: 'found', email: 'eve1@example.com', enrichment_id: 'enr_1' },
    ]);
    expect(taken).toHaveLength(2);
  });

  test('after its person was forgotten brings nothing of them back', async () => {
    const { dir, deliver, run, taken } = await openShop((nth) => nth === 1);
    dir.write('leads.csv', csv(['Zebulona,Quixley,zephyrworks.com']));
    await run('leads.csv');
    const forgotten = await dir.sluice(
      'state forget companyDomain=zephyrworks.com --yes --state state.db',
    );
    expect(forgotten).toMatchObject({ code: 0, stderr: '' });
    await deliver(1, 'z.quixley@zephyrworks.com');
    const bytes = dir
      .files()
      .filter((name) => name.startsWith('state.db'))
      .map((name) => readFileSync(dir.at(name)).toString('latin1'))
      .join();
    expect(bytes).not.toContain('zephyrworks');
    expect(JSON.parse((await run('leads.csv')).stdout)).toMatchObject({ by_status: { failed: 1 } });
    expect(taken).toHaveLength(1);
    expect((await dir.sluice('status --deliveries --state state.db --ndjson')).stdout).toBe('');
  });
});

test
  .runIf(isLong)
  .concurrent(
    'a listener that starts beside a run waits for its end, and then listens',
    async () => {
      const { deliver, dir, port, runUntil } = await openShop(() => false, false);
      dir.write('leads.csv', csv(people(1)));
      const run = await runUntil(1, 'leads.csv');
      const listener = dir.start(`listen --listen ${port} --state state.db`, { isService: true });
      await listener.says('its end is waited for');
      await deliver(1);
      expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
      await listener.says('Ctrl+C stops it');
      await deliver(1);
      listener.child.kill('SIGTERM');
      expect((await listener.ended).stderr).toContain('0 deliveries kept.');
    },
  );
