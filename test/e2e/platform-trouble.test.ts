// A platform that refuses, is not there, or is another thing: exit 4, one sentence, no storm, nothing lost.
import { describe, expect, test } from 'vitest';
import { answering, startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email';
const PAGE = '<!DOCTYPE html><title>Welcome</title>';
const SCHEMA = { schema: { properties: {} }, properties: [] };

const sandbox = await startSandboxProcess();

function withLeads(url: string): Workdir {
  return openWorkdir(url).write('leads.csv', csv(people(5)));
}

async function statusOf(dir: Workdir): Promise<{ state: string; by_status: object }> {
  return await dir.json('status');
}

describe.concurrent('trouble with the platform is exit 4, and the leads stay queued', () => {
  test('wrong credentials', async () => {
    const dir = withLeads(sandbox.url);
    expect(await dir.refusal(ENRICH, { code: 4, env: { SLUICE_PASSWORD: 'guess' } })).toMatch(
      /refused the credentials \(401.*\)\. Check SLUICE_USERNAME and SLUICE_PASSWORD\. Everything so far is saved; continue with: the same command$/,
    );
    expect(await statusOf(dir)).toMatchObject({
      state: 'stopped_by_error',
      by_status: { queued: 5 },
    });
    expect(dir.has('out.csv')).toBe(false);

    // And with the right ones the same run goes on.
    expect(await dir.sluice(ENRICH)).toMatchObject({ code: 0 });
    expect(await statusOf(dir)).toMatchObject({ state: 'finished', by_status: { queued: 0 } });
    expect(dir.rows('out.csv')).toHaveLength(5);
  });

  test('of a job with a blank in its path: the command that goes on can be typed', async () => {
    const dir = withLeads(sandbox.url).write(
      'my jobs/a.yaml',
      'input: leads.csv\nout: out.csv\nask: [find_email]\n',
    );
    expect(
      await dir.refusal(['run', 'my jobs/a.yaml'], { code: 4, env: { SLUICE_PASSWORD: 'guess' } }),
    ).toMatch(/; continue with: sluice run 'my jobs\/a\.yaml'$/);
  });

  test('missing credentials are exit 2, and nothing is asked', async () => {
    const server = await startServer(answering(SCHEMA));
    const dir = withLeads(server.url);
    for (const name of ['SLUICE_USERNAME', 'SLUICE_PASSWORD']) {
      expect(await dir.refusal(ENRICH, { env: { [name]: undefined } })).toBe(
        `The platform's credentials are missing: set ${name}, also in the file .env of this folder, or ${name}_FILE to a file instead.`,
      );
    }
    // A plan needs to know who pays only where something was paid for before.
    const plan = 'plan leads.csv --ask find_email --state state.db';
    const env = { SLUICE_USERNAME: undefined, SLUICE_PASSWORD: undefined };
    expect((await dir.sluice(plan, { env })).stdout).toMatch(/^to pay +\d+ /m);
    expect(server.asked).toEqual([]);
  });

  test('an answer that takes longer than the timeout of the job', async () => {
    const server = await startServer((request, response) => {
      if (request.method === 'GET') response.end(JSON.stringify(SCHEMA));
    });
    const dir = withLeads(server.url);
    const ended = await dir.sluice(`${ENRICH} --set timeout=1s`);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stderr).toContain('5 uncertain: sent, and no answer came: no answer within 1 s');
  });

  test('a deadline that comes while the platform asks to wait for days', async () => {
    let sent = 0;
    const server = await startServer((request, response) => {
      if (request.url?.startsWith('/enrich/') === true) {
        response.writeHead(429, { 'retry-after': '999999' });
      }
      if (request.method === 'POST') sent += 1;
      answering(request.method === 'POST' ? { id: `enr_${sent}` } : SCHEMA)(request, response);
    });
    const dir = withLeads(server.url);
    const ended = await dir.sluice(`${ENRICH} --submit single --set deadline=3s`);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stderr).toMatch(/The platform asks to wait until .* by "Retry-After: 999999"/i);
    expect(await statusOf(dir)).toMatchObject({ state: 'finished', by_status: { timed_out: 5 } });
  });

  test('a host that does not exist', async () => {
    const dir = withLeads('https://nosuchhost.invalid');
    expect(await dir.refusal(ENRICH, { code: 4 })).toMatch(
      /^The platform at https:\/\/nosuchhost\.invalid\/\S+ could not be reached: .+\. Check the address and the network\. Everything so far is saved; continue with: the same command$/,
    );
    expect(await statusOf(dir)).toMatchObject({ by_status: { queued: 5 } });
  });

  test('HTML where JSON should be is asked for once', async () => {
    const server = await startServer(answering(PAGE));
    const dir = withLeads(server.url);
    expect(await dir.refusal(ENRICH, { code: 4 })).toContain(
      'answered 200 without a people schema: "<!DOCTYPE html>',
    );
    expect(server.asked).toEqual(['GET /schema/people']);
    expect(await statusOf(dir)).toMatchObject({ by_status: { queued: 5 } });
  });

  test('HTML for a paid request leaves it uncertain, and soon no more are sent', async () => {
    const server = await startServer((request, response) =>
      answering(request.method === 'POST' ? PAGE : SCHEMA)(request, response),
    );
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(30)));
    expect(await dir.refusal(`${ENRICH} --set concurrency=2`, { code: 4 })).toContain(
      'without an enrichment id',
    );
    const posts = server.asked.filter((call) => call.startsWith('POST')).length;
    expect(posts).toBeLessThanOrEqual(8 + 2);
    expect(await statusOf(dir)).toMatchObject({
      by_status: { uncertain: posts, queued: 30 - posts },
    });
    expect(dir.rows('out.csv')).toHaveLength(30);

    // Run again, it does not send the uncertain ones again.
    const before = server.asked.filter((call) => call.startsWith('POST')).length;
    await dir.sluice(`${ENRICH} --set concurrency=2`);
    expect(await statusOf(dir)).toMatchObject({
      by_status: {
        uncertain: server.asked.filter((call) => call.startsWith('POST')).length,
      },
    });
    expect(server.asked.filter((call) => call.startsWith('POST')).length).toBeGreaterThan(before);
  });

  test('an account out of credits ends the run after one request or so, and sends no more', async () => {
    const server = await startServer((request, response) => {
      if (request.method === 'POST') response.statusCode = 402;
      answering(request.method === 'POST' ? { error: 'no credits left' } : SCHEMA)(
        request,
        response,
      );
    });
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(30)));
    expect(await dir.refusal(`${ENRICH} --set concurrency=2`, { code: 4 })).toBe(
      "The platform's account is out of credits (402: no credits left). Add credits and run again. Everything so far is saved; continue with: the same command",
    );
    expect(server.asked.filter((call) => call.startsWith('POST')).length).toBeLessThanOrEqual(2);
    expect(await statusOf(dir)).toMatchObject({ by_status: { queued: 30, uncertain: 0 } });
  });

  test('the table of an earlier run is not replaced by an empty one', async () => {
    const dir = withLeads(sandbox.url);
    await dir.sluice(ENRICH);
    const before = dir.text('out.csv');
    dir.write('leads.csv', csv(people(5, 11)));
    const ended = await dir.sluice(ENRICH, { env: { SLUICE_PASSWORD: 'guess' } });
    expect(ended.code).toBe(4);
    expect(dir.text('out.csv')).toBe(before);
    expect(dir.files().filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('a closed pipe does not hide that the platform failed', async () => {
    const server = await startServer((request, response) =>
      answering(request.method === 'POST' ? PAGE : SCHEMA)(request, response),
    );
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(30)));
    const run = dir.start('enrich leads.csv --out - --ask find_email --set concurrency=1');
    run.child.stdout?.destroy();
    expect(complaintOf(await run.ended)).toContain('without an enrichment id');
    expect((await run.ended).code).toBe(4);
  });
});
