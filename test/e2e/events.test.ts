// Events from the platform's hook to the analyst's table, over real processes: the sandbox, the listener, the commands.
import { resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Running } from '../helpers/command-line.js';
import { freePort } from '../helpers/free-port.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const SECRET = { SLUICE_WEBHOOK_SECRET: 'an agreed word' };

/** A sandbox that tells the listener of a state file of every event, and a command that follows them. */
async function openShop(flags?: string, dialect?: string) {
  const own = dialect === undefined ? '' : ` --dialect ${dialect}`;
  const sandbox = await startSandboxProcess(flags ?? '--latency 20ms');
  const dir = openWorkdir(sandbox.url);
  const port = await freePort();
  const listen = `listen --listen ${port} --state state.db${own}`;
  const listener = dir.start(listen, { isService: true, env: SECRET });
  await listener.says('Ctrl+C stops it');
  const url = `http://127.0.0.1:${port}`;
  const added = await dir.sluice(`hooks add --public-url ${url}/ --state state.db`, {
    env: SECRET,
  });
  expect(added).toMatchObject({ code: 0, stderr: '' });
  let following: Running | undefined;
  const follow = (): Running => {
    following ??= dir.start('events --follow --state state.db', { isService: true });
    return following;
  };
  const emit = async (type: string, ...fields: string[]): Promise<void> => {
    const given = fields.flatMap((field) => ['--field', field]);
    const emitted = await dir.sluice(['sandbox', 'emit', type, ...given, '--url', sandbox.url]);
    expect(emitted.code).toBe(0);
    await follow().says(type);
  };
  return { sandbox, dir, url, listener, follow, emit };
}

async function eventsOf(dir: Workdir, flags = ''): Promise<Record<string, unknown>[]> {
  const { stdout } = await dir.sluice(`events --state state.db --ndjson${flags}`);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A state without events, for commands that change nothing in it. */
let emptied: Promise<Workdir> | undefined;
function withoutEvents(): Promise<Workdir> {
  emptied ??= (async () => {
    const dir = openWorkdir().write('leads.csv', csv([]));
    const asked = 'enrich leads.csv --ask find_email --out o.csv --url http://127.0.0.1:9';
    await dir.sluice(`${asked} --state state.db`);
    return dir;
  })();
  return emptied;
}

describe.concurrent('events', () => {
  test('are kept once each, without the secret, and shown, followed, filtered and exported', async () => {
    const { dir, emit, follow } = await openShop('--latency 20ms --fault webhook-doubled=1');
    const following = follow();
    await emit('emailsBounced', 'campaignId=cam_autumn', 'cc=Boss@Firm.example');
    await emit('emailsReplied', 'isThirdPartyReply=true', 'sentiment=7');
    await emit('phoneDone', 'leadEmail=Zoe@Firm.example', 'createdAt=2020-02-29T12:00:00Z');
    await emit('connectionIssue');
    await following.says('connectionIssue');

    const all = await eventsOf(dir);
    const types = all.map(({ type }) => type);
    expect(types).toEqual(['emailsBounced', 'emailsReplied', 'phoneDone', 'connectionIssue']);
    expect(all[0]).toMatchObject({ group: 'email', campaign_id: 'cam_autumn', details: null });
    expect(all[0]?.['cc']).toEqual([{ address: 'boss@firm.example', name: '' }]);
    expect(all[1]).toMatchObject({
      is_third_party_reply: true,
      campaign_id: null,
      lead_id: null,
      sequence_id: null,
      details: { sentiment: 7 },
    });

    const chosen = async (flags: string) => (await eventsOf(dir, flags)).map(({ type }) => type);
    expect(await chosen(' --type emailsBounced --group call')).toEqual([
      'emailsBounced',
      'phoneDone',
    ]);
    expect(await chosen(' --campaign cam_autumn --group email')).toEqual(['emailsBounced']);
    expect(await chosen(' --lead zoe@firm.example')).toEqual(['phoneDone']);
    expect(await chosen(' --until 2020-03-01')).toEqual(['phoneDone']);
    expect(await chosen(' --since 1h --last 1')).toEqual(['connectionIssue']);

    const table = await dir.sluice('events --state state.db --until 2020-02-29T12:00:01');
    expect(table.stdout.split('\n')).toHaveLength(3);
    expect(table.stdout).toMatch(/2020-02-29 12:00:00 {2}phoneDone {2}zoe@firm\.example/i);

    const exported = await dir.sluice('events --state state.db --out events.csv');
    expect(exported).toMatchObject({ code: 0, stdout: 'events.csv: 4 events\n', stderr: '' });
    expect(dir.header('events.csv')).toEqual(Object.keys(all[0] ?? {}));
    expect(dir.rows('events.csv').map(({ event_id: id }) => id)).toEqual(
      all.map(({ event_id: id }) => id),
    );
    await dir.sluice('events --state state.db --out events.ndjson --group email');
    const lines = dir.text('events.ndjson').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all.slice(0, 2));
    const none = await dir.sluice('events --state state.db --type smsSent --out - --set bom=false');
    expect(none.stdout).toBe(`${dir.header('events.csv').join(',')}\n`);

    const odd = await dir.sluice('events --state state.db --type emailSent --ndjson');
    expect(odd).toMatchObject({ code: 0, stdout: '' });
    expect(odd.stderr).toMatch(/no event "emailSent"; did you mean emailsSent\? Looking for it/);

    following.child.kill('SIGINT');
    const followed = (await following.ended).stdout.trim().split('\n');
    expect(followed).toHaveLength(4);
    for (const name of dir.files()) expect(dir.text(name)).not.toContain('an agreed word');
  });

  test("have our names and the platform's, where the dialect says which are which", async () => {
    const dialect = resolve('test/e2e/dialects/named-events.yaml');
    const { dir } = await openShop('--latency 20ms', dialect);
    const { stdout } = await dir.sluice('hooks list --state state.db --ndjson');
    const { target } = JSON.parse(stdout) as { target: string };
    const secret = SECRET.SLUICE_WEBHOOK_SECRET;
    for (const type of ['mail.back', 'phone.done', 'mail.framed']) {
      const body = JSON.stringify({ _id: type === 'mail.framed' ? 'act_new' : type, type, secret });
      expect((await fetch(target, { method: 'POST', body })).status).toBe(200);
    }

    const names = async (flags = '') =>
      (await eventsOf(dir, flags)).map(({ type, platform_type: own }) => [type, own]);
    const kept = [
      ['emailsReplied', 'mail.back'],
      ['phoneDone', 'phone.done'],
      ['mail.framed', 'mail.framed'],
    ];
    const look = async () => expect(await names()).toEqual(expect.arrayContaining(kept));
    await vi.waitFor(look, { timeout: COMMAND_MS, interval: 500 });
    expect(await names(' --type emailsReplied')).toEqual(kept.slice(0, 1));
    expect(await names(' --type mail.back')).toEqual(kept.slice(0, 1));
    expect(await names(' --group call')).toEqual(kept.slice(1, 2));
    const strange = await dir.sluice('events --state state.db --type mail.framed --ndjson');
    expect(strange).toMatchObject({ code: 0, stderr: '' });
    expect(strange.stdout).toMatch(/^\{"event_id":"act_new","type":"mail\.framed","group":null/);
  });

  test('of a hook for everything settle runs as well, and disturb the status of the run they touch', async () => {
    const { dir, emit, listener, sandbox } = await openShop('--latency 6s --sigma 0');
    dir.write('leads.csv', csv(people(5)));
    const flags = '--ask find_email --set rate=off --set deadline=100ms --quiet';
    await dir.sluice(`enrich leads.csv --out out.csv --state state.db ${flags}`);
    await sandbox.until(({ delivered }) => delivered >= 5, listener);
    await dir.sluice('replay leads --state state.db').catch(() => undefined);
    const status = async () =>
      (await dir.json('status --state state.db')) as Record<string, unknown>;
    const before = await status();
    expect(before).toMatchObject({ pending_deliveries: 5, disturbances: [] });
    const during = `createdAt=${String(before['started_at'])}`;
    await emit('sendLimitReached', during);
    await emit('sendLimitReached', during, 'sendUserId=usr_other');
    await emit('warmupPaused', during);
    await emit('connectionIssue', 'createdAt=2020-02-29T12:00:00Z');
    const last = { last_at: before['started_at'] };
    const look = async () => {
      const { disturbances } = await status();
      expect(disturbances).toEqual([{ type: 'sendLimitReached', count: 2, ...last }]);
    };
    await vi.waitFor(look, { timeout: COMMAND_MS, interval: 500 });
    const { stdout } = await dir.sluice('status --state state.db');
    expect(stdout).toMatch(
      /^sendLimitReached: 2 times during the run, at [\d: -]+ \(UTC\) last\. The daily send limit was reached\.$/m,
    );
  });

  test('go on after the secret was changed with one command', async () => {
    const { dir, listener, sandbox, url } = await openShop();
    listener.child.kill('SIGTERM');
    await listener.ended;
    const env = { SLUICE_WEBHOOK_SECRET: 'another word' };
    const hooks = async () =>
      (await dir.sluice('hooks list --state state.db --ndjson')).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { hook: string; target: string });
    const [old] = await hooks();
    const told = await dir.sluice(`hooks rotate ${old?.hook} --state state.db`, { env });
    expect(told.code).toBe(0);
    expect(told.stderr).toMatch(
      /^The listener of this state refuses these events until it runs with the new secret\. Restart it soon: .*\n$/,
    );
    const [renewed, ...others] = await hooks();
    expect(others).toEqual([]);
    expect(renewed?.target).not.toBe(old?.target);
    const again = dir.start(`listen --listen ${new URL(url).port} --state state.db`, {
      isService: true,
      env,
    });
    await again.says('Ctrl+C stops it');
    const following = dir.start('events --follow --json --state state.db', { isService: true });
    await dir.sluice(['sandbox', 'emit', 'smsReplied', '--url', sandbox.url]);
    await following.says('"type":"smsReplied"');
    expect((await fetch(String(old?.target), { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test.each([
    ['--group emails', /group cannot be "emails": it is one of "state", "email", /],
    ['--since yesterday', /--since: a time is written/],
    ['--until 12', /--until: a time is written/],
    ['--since 1h --until 2h', /--until comes before --since/],
    ['--type enrichmentDone', /"sluice status --deliveries" lists those/],
    ['--last 0', /--last: a whole number from 1 on/],
    ['--follow --out events.csv', /leave out --follow and --last/],
    ['--out nowhere/events.csv', /its folder does not exist/],
    ['--out events.xls', /Sluice writes \.csv/],
  ])('that cannot be shown so are a matter of the command line: %s', async (flags, complaint) => {
    const dir = await withoutEvents();
    expect(await dir.refusal(`events --state state.db ${flags}`)).toMatch(complaint);
  });

  test.each([['--public-url http://127.0.0.1:1 http://127.0.0.1:2'], ['']])(
    'need one place to go to: hooks add %s',
    async (flags) => {
      const ended = await openWorkdir('http://127.0.0.1:9').sluice(`hooks add ${flags}`.trim(), {
        env: SECRET,
      });
      expect(ended.code).toBe(2);
      expect(complaintOf(ended)).toContain('Say where the webhook delivers');
    },
  );
});
