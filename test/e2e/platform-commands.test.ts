// Lists, hooks, drafts and the people schema from the command line, against the sandbox as another process.
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { SAMPLE_PERSON } from '../../src/sandbox/routes/people-schema.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { listsOf } from '../helpers/list-gate.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, openWorkdir, type Workdir } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();
const RATE = ['--rate', 'off'];
const SECRET = 'correct horse';

/** Runs a command against the shared sandbox, in a folder of its own unless it is told one. */
function ask(words: readonly string[], env: Readonly<Record<string, string>> = {}, dir = shop()) {
  return dir.sluice([...words, ...RATE], { env });
}

function shop(url = sandbox.url): Workdir {
  return openWorkdir(url);
}

/** A platform that must not be asked. */
async function untouched() {
  const server = await startServer(answering({}));
  return { asked: server.asked, dir: openWorkdir(server.url) };
}

async function createdList(name: string): Promise<string> {
  const { stdout } = await ask(['lists', 'create', name, '--json']);
  return (JSON.parse(stdout) as { list: string }).list;
}

async function membersOf(id: string) {
  return (await listsOf(sandbox.url)).find((list) => list.id === id)?.members ?? [];
}

describe.concurrent('sluice lists create', () => {
  test('makes one list and tells its id', async () => {
    const created = await ask(['lists', 'create', 'Warm of {date}']);
    const date = new Date().toISOString().slice(0, 10);
    const lists = (await listsOf(sandbox.url)).filter(({ name }) => name === `Warm of ${date}`);
    expect(lists).toHaveLength(1);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(created.stdout).toBe(`Created ${lists[0]?.id}: Warm of ${date}\n`);
  });

  test('takes 200 characters', async () => {
    await createdList('y'.repeat(200));
    expect((await listsOf(sandbox.url)).map(({ name }) => name)).toContain('y'.repeat(200));
  });

  test.each([
    ['201 characters', 'x'.repeat(201)],
    ['200 emoji', '🙂'.repeat(200)],
    ['an empty name', ''],
    ['blanks', '  '],
    ['an unknown placeholder', '{team}'],
  ])('refuses %s before anything is sent', async (_, name) => {
    const { asked, dir } = await untouched();
    const ended = await ask(['lists', 'create', name], {}, dir);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(complaintOf(ended)).toMatch(/he name of the contact list|^An argument is empty/);
    expect(asked).toEqual([]);
  });

  test('asks once where no answer can be read, and says that it is not known', async () => {
    const broken = await startServer((_, response) => {
      response.writeHead(502).end();
    });
    const ended = await ask(['lists', 'create', 'Warm'], {}, shop(broken.url));
    expect(ended.code).toBe(4);
    expect(complaintOf(ended)).toMatch(/Whether the list "Warm" was created is not known: .*502/);
    expect(broken.asked).toEqual(['POST /contacts/lists']);
  });
});

describe.concurrent('sluice lists add', () => {
  test('puts the chosen rows of a table in, and no person twice', async () => {
    const list = await createdList('table');
    const dir = shop().write(
      'people.csv',
      'E-Mail,First name,Note\nada@a.example,Ada,x\nbob@b.example,Bob,\nADA@a.example,Ada,x\n,Cyd,x\n',
    );
    const line = ['lists', 'add', list, 'people.csv', '--where', 'Note = x'];
    const added = await ask(line, {}, dir);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toBe(
      `Added 1 to ${list}; 0 were already in it, 1 row of people of earlier rows, 1 without a usable e-mail or profile address.\n`,
    );
    expect(await membersOf(list)).toEqual([{ email: 'ada@a.example', firstName: 'Ada' }]);
    const again = await ask([...line, '--json'], {}, dir);
    expect(JSON.parse(again.stdout)).toEqual({
      list,
      rows: 3,
      added: 0,
      already_in: 1,
      repeated: 1,
      skipped: 1,
      suppressed: 0,
      rejects: 0,
    });
  });

  test('leaves malformed addresses out, and tells every line that it does not use', async () => {
    const list = await createdList('bad');
    const dir = shop().write(
      'people.csv',
      'email,n,m\nnot-an-email,1,2\na@b.com,1\nc@b.com,b.com\n"d@b.com"x,1,2\n',
    );
    const added = await ask(['lists', 'add', list, 'people.csv'], {}, dir);
    expect(added.code).toBe(0);
    expect(added.stdout).toBe(
      `Added 1 to ${list}; 0 were already in it, 1 without a usable e-mail or profile address.\n`,
    );
    expect(added.stderr).toMatch(
      /^1 line cannot be read: line 5 \(stray_quote: .*\)\.\n1 row left out as doubtful: line 4 \(ragged_row: 2 cells under 3 columns\)\.\n$/,
    );
    expect(await membersOf(list)).toEqual([{ email: 'a@b.com' }]);
  });

  test.each([
    [
      'is not there',
      'clt_nowhere',
      /^The platform has no list clt_nowhere \(404: .*Check its id\. That call had people from line 2; none was added before it\.$/,
    ],
    [
      'is dynamic',
      'clt_dynamic',
      /^With this call the platform added no person to the list clt_dynamic \(409: /,
    ],
  ])('to a list that %s is one sentence and exit 4', async (_, list, said) => {
    const dir = shop().write('people.csv', 'email\nada@a.example\n');
    const ended = await ask(['lists', 'add', list, 'people.csv'], {}, dir);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(complaintOf(ended)).toMatch(said);
    expect(ended.stderr).not.toContain('ada@');
  });

  test.each(['', ' ', 'clt_\u0007', 'clt 1'])('refuses the id %j as none', async (id) => {
    const { asked, dir } = await untouched();
    dir.write('people.csv', 'email\na@a.example\n');
    const ended = await dir.sluice(['lists', 'add', id, 'people.csv']);
    expect(ended.code).toBe(2);
    expect(complaintOf(ended)).toMatch(/^The id of (the|a) contact list |^An argument is empty/);
    expect(asked).toEqual([]);
  });

  test.each([
    ['a column that is not there', 'email\na@a.example\n', ['--where', 'mail = a'], 2],
    ['an empty choice', 'email\na@a.example\n', ['--where', ''], 2],
    ['a table without addresses', 'note\nx\n', [], 2],
    ['a table that is not there', undefined, [], 3],
    ['a rate that is none', 'email\na@a.example\n', ['--set', 'rate=fast'], 2],
  ])('refuses %s before anything is sent', async (_, table, flags, code) => {
    const { asked, dir } = await untouched();
    if (table !== undefined) dir.write('people.csv', table);
    const ended = await dir.sluice(['lists', 'add', 'clt_1', 'people.csv', ...flags]);
    complaintOf(ended);
    expect(ended.code).toBe(code);
    expect(asked).toEqual([]);
  });
});

interface ShownHook {
  readonly hook: string;
  readonly type: string | null;
  readonly target: string;
}

async function hooks(): Promise<ShownHook[]> {
  const { stdout } = await ask(['hooks', 'list', '--json']);
  return JSON.parse(stdout) as ShownHook[];
}

async function hooksAt(target: string): Promise<ShownHook[]> {
  return (await hooks()).filter((hook) => hook.target === target);
}

describe.concurrent('sluice hooks', () => {
  test('adds one, lists it and removes it', async () => {
    const target = 'https://one.example/in';
    const added = await ask(['hooks', 'add', target, '--type', 'emailsReplied']);
    expect(added.stdout).toMatch(
      /^Registered hoo_\w+ for emailsReplied at https:\/\/one\.example\/in, without a secret\.\n$/,
    );
    const [hook] = await hooksAt(target);
    expect(hook?.type).toBe('emailsReplied');
    const listed = await ask(['hooks', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`^${hook?.hook} .*emailsReplied .*${target}$`, 'm'));
    const id = hook?.hook ?? '';
    expect((await ask(['hooks', 'remove', id])).stdout).toBe(`Removed ${id}.\n`);
    expect(await hooksAt(target)).toEqual([]);
    const again = await ask(['hooks', 'remove', id]);
    expect(again.code).toBe(2);
    expect(complaintOf(again)).toContain(`There is no webhook ${id}.`);
  });

  test('without a type brings every event', async () => {
    const target = 'https://every.example/in';
    const added = await ask(['hooks', 'add', target, '--campaign', 'cam_spring', '--first']);
    expect(added.stdout).toContain('for every event at');
    expect((await hooksAt(target))[0]?.type).toBeNull();
  });

  test('gives a hook another secret, and shows neither, however it is asked', async () => {
    const target = 'https://secret.example/in';
    const secret = { SLUICE_WEBHOOK_SECRET: SECRET };
    const told = [await ask(['hooks', 'add', target, '--type', 'warmed', '--json'], secret)];
    const { hook: old, has_secret } = JSON.parse(told[0]?.stdout ?? '');
    expect(has_secret).toBe(true);
    const dir = shop().write('secret', `${SECRET} 2\n`);
    const file = { SLUICE_WEBHOOK_SECRET_FILE: 'secret' };
    const rotated = await ask(['hooks', 'rotate', old], file, dir);
    expect(rotated.stderr).toBe('');
    expect(rotated.stdout).toMatch(
      new RegExp(`^Registered hoo_\\w+ for warmed at .* not shown again\\.\nRemoved ${old}\\.\n$`),
    );
    const [hook, ...others] = await hooksAt(target);
    expect(others).toEqual([]);
    expect(hook?.hook).not.toBe(old);
    told.push(rotated, await ask(['hooks', 'list']), await ask(['hooks', 'rotate', old], secret));
    expect(told.at(-1)?.code).toBe(2);
    for (const { stdout, stderr } of told) expect(stdout + stderr).not.toContain(SECRET);
    const kept = dir.files().filter((name) => name !== 'secret');
    for (const name of kept) expect(dir.text(name)).not.toContain(SECRET);
  });

  test('registers the new one, and tells it, before the old one goes', async () => {
    const old = { _id: 'hoo_old', targetUrl: 'https://a.example/in', type: 'warmed' };
    const server = await startServer((request, response) => {
      if (request.method === 'DELETE') response.writeHead(500).end();
      else if (request.method === 'GET') response.end(JSON.stringify([old]));
      else response.end(JSON.stringify({ ...old, _id: 'hoo_new' }));
    });
    const secret = { SLUICE_WEBHOOK_SECRET: SECRET };
    const ended = await ask(['hooks', 'rotate', 'hoo_old'], secret, shop(server.url));
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('Registered hoo_new');
    expect(complaintOf(ended)).toMatch(
      / 500\. hoo_new is registered, and hoo_old may still be there: remove it with "sluice hooks remove hoo_old", and do not rotate it again\.$/,
    );
    expect(server.asked).toEqual(['GET /hooks', 'POST /hooks', 'DELETE /hooks/hoo_old']);
  });

  test.each([
    [
      'add https://a.example/in',
      /did not answer: .*\. Whether the webhook was registered is not known: look with "sluice hooks list" before you add it again\.$/,
    ],
    [
      'rotate hoo_1',
      /did not answer: .*\. Whether a new webhook was registered is not known, and hoo_1 is still there: look /,
    ],
    [
      'remove hoo_1',
      /did not answer: .*\. Whether hoo_1 was removed is not known: "sluice hooks list" shows it\.$/,
    ],
  ])('%s says what is not known when the connection breaks off', async (line, said) => {
    const server = await startServer((request, response) => {
      if (request.method !== 'GET') request.socket.destroy();
      else response.end('[{"_id":"hoo_1","targetUrl":"https://a.example/in"}]');
    });
    const secret = { SLUICE_WEBHOOK_SECRET: SECRET };
    const ended = await ask(['hooks', ...line.split(' ')], secret, shop(server.url));
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(complaintOf(ended)).toMatch(said);
    expect(server.asked.filter((call) => !call.startsWith('GET'))).toHaveLength(1);
  });

  test('refused by the platform are known not to be there, and said with one full stop', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(400).end('{"error":"The target is no URL."}');
    });
    const ended = await ask(['hooks', 'add', 'https://a.example/in'], {}, shop(server.url));
    expect(ended.code).toBe(4);
    expect(complaintOf(ended)).toMatch(/answered with an error: 400: The target is no URL\.$/);
  });

  test('that cannot be shown are counted on standard error', async () => {
    const hook = { _id: 'hoo_1', targetUrl: 'https://a.example/in' };
    const server = await startServer(answering([{ ...hook, _id: {} }, hook, { ...hook, _id: '' }]));
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await ask(['hooks', 'list', ...flags], {}, shop(server.url));
      expect(code).toBe(0);
      expect(stdout).toContain('hoo_1');
      expect(stderr).toBe(
        'Left out: 2 webhooks that the platform listed without a usable id or target.\n',
      );
    }
  });

  test.each([
    ['hooks', 'remove', ''],
    ['hooks', 'rotate', ''],
    ['hooks', 'remove', ' '],
    ['hooks', 'add', ''],
    ['hooks', 'add', 'https://a.example/in', '--campaign', ''],
    ['hooks', 'add', 'https://a.example/in', '--campaign='],
    ['hooks', 'add', 'https://a.example/in', '--campaign', ' '],
    ['hooks', 'add', 'https://a.example/in', '--zap', ''],
    ['hooks', 'add', 'https://a.example/in', '--type', ''],
    ['hooks', 'rotate', 'hoo_1', '--campaign', ''],
    ['hooks', 'add', '--public-url', 'https://a.example/?token=abc'],
    ['draft', 'ctc_1', 'drf_1', '--owner', ''],
    ['draft', 'ctc_1', 'drf_1', '--owner', ' '],
    ['draft', '', 'drf_1', '--owner', 'usr_ada'],
    ['draft', 'ctc_1', '', '--owner', 'usr_ada'],
  ])('nothing is sent for an empty word: %s %s %j %s %s', async (...words) => {
    const { asked, dir } = await untouched();
    const ended = await ask(words, { SLUICE_WEBHOOK_SECRET: SECRET }, dir);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(complaintOf(ended)).not.toMatch(/needs (one more argument|<)|bug/);
    expect(asked).toEqual([]);
  });

  test.each([
    ['add', 'https://a.example/in'],
    ['rotate', 'hoo_1'],
  ])('%s refuses a blank secret, naming its variable', async (...words) => {
    const { asked, dir } = await untouched();
    const ended = await ask(['hooks', ...words], { SLUICE_WEBHOOK_SECRET: '  ' }, dir);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(complaintOf(ended)).toContain('SLUICE_WEBHOOK_SECRET gives is blank');
    expect(asked).toEqual([]);
  });

  test('are not rotated without a secret, nor at a platform that adds none', async () => {
    const { asked, dir } = await untouched();
    const ended = await ask(['hooks', 'rotate', 'hoo_1'], {}, dir);
    expect(ended.code).toBe(2);
    expect(complaintOf(ended)).toContain('set SLUICE_WEBHOOK_SECRET');
    expect(asked).toEqual([]);
    const refusing = await startServer((request, response) => {
      if (request.method === 'POST') response.writeHead(400).end(`{"error":"not ${SECRET}"}`);
      else response.end('[{"_id":"hoo_1","targetUrl":"https://a.example"}]');
    });
    const secret = { SLUICE_WEBHOOK_SECRET: SECRET };
    const stopped = await ask(['hooks', 'rotate', 'hoo_1'], secret, shop(refusing.url));
    expect(stopped.code).toBe(4);
    expect(stopped.stderr).not.toContain(SECRET);
    expect(refusing.asked).toEqual(['GET /hooks', 'POST /hooks']);
  });

  test.each([
    ['a removed event', 'https://a.example', 'emailsSendFailed', 'use emailsFailed'],
    ['one that nothing replaces', 'https://a.example', 'skipped', 'nothing replaces it'],
    ['an unknown event', 'https://a.example', 'emailSent', 'emailsSent'],
    ['an event in other letters', 'https://a.example', 'EMAILSSENT', 'emailsSent'],
    ['a target that is no address', 'my server', 'warmed', 'is an http(s) address'],
    ['a target that is no http address', 'ftp://a.example', 'warmed', 'is an http(s) address'],
    ['credentials in it', 'https://me:hunter2@a.example', 'warmed', 'without credentials'],
    ['a fragment in it', 'https://a.example/?b=c#d', 'warmed', 'fragment'],
    ['a blank in it', 'https://a.example/b c', 'warmed', 'or blanks'],
  ])('refuses %s before anything is sent: exit 2', async (_, target, type, said) => {
    const { asked, dir } = await untouched();
    for (const flags of [[], ['--json']]) {
      const ended = await ask(['hooks', 'add', target, '--type', type, ...flags], {}, dir);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(said);
      expect(ended.stderr).not.toContain('hunter2');
    }
    expect(asked).toEqual([]);
  });
});

describe.concurrent('sluice sandbox emit', () => {
  test('brings an event to the hooks that want it, and prints its record', async () => {
    const own = await startSandboxProcess();
    const dir = shop(own.url);
    let receive: (body: string) => void;
    const received = new Promise<string>((resolve) => {
      receive = resolve;
    });
    const { url } = await startServer((request, response) => {
      response.end();
      void text(request).then(receive);
    });
    const secret = { SLUICE_WEBHOOK_SECRET: SECRET };
    await ask(['hooks', 'add', `${url}/in`, '--type', 'emailsReplied'], secret, dir);
    const emit = (...words: string[]) =>
      dir.sluice(['sandbox', 'emit', ...words, '--url', own.url]);

    const plain = ['sandbox', 'emit', 'warmed'];
    expect((await dir.sluice(plain)).stderr).toContain('No hook wants it');
    const port = ['--port', new URL(own.url).port];
    const elsewhere = { env: { SLUICE_URL: 'http://127.0.0.1:9' } };
    expect((await dir.sluice([...plain, ...port], elsewhere)).stderr).toContain('No hook');
    const both = [...plain, ...port, '--url', own.url];
    expect(await dir.refusal(both)).toContain('mutually exclusive');
    const emitted = await emit('emailsReplied', '--field', 'isThirdPartyReply=true');
    expect(emitted).toMatchObject({ code: 0, stderr: 'It is on its way to 1 hook.\n' });
    const told = JSON.parse(await received) as Record<string, unknown>;
    expect(told).toMatchObject({ type: 'emailsReplied', isThirdPartyReply: true, secret: SECRET });
    const { secret: _, ...record } = told;
    expect(JSON.parse(emitted.stdout)).toEqual(record);
  });

  test.each([
    ['an event that was removed', ['opportunitiesDone'], 'use annotated'],
    ['an unknown event', ['emailReplied'], 'emailsReplied'],
    ['a field without a value', ['warmed', '--field', 'leadId'], 'leadId=lea_7'],
  ])('refuses %s: exit 2', async (_, words, said) => {
    const ended = await shop().sluice(['sandbox', 'emit', ...words, '--url', sandbox.url]);
    expect(ended.code).toBe(2);
    expect(complaintOf(ended)).toContain(said);
  });
});

const DRAFT = ['draft', 'ctc_priya', 'drf_welcome', '--owner', 'ada@harbour.example'];

describe.concurrent('sluice draft', () => {
  test('prints the text of a draft, for people', async () => {
    const { code, stdout } = await ask(DRAFT);
    expect(code).toBe(0);
    expect(stdout).toContain('Subject: Re: A question about your waiting rooms\n');
    expect(stdout).toContain('Attachments: 2\n');
    expect(stdout).toMatch(/^Cc: [^{]*<?ben\+outreach@harbour\.example>?$/m);
    expect(stdout).toContain('Dear Priya,\n\nthank you for asking. The figures are attached.\n');
    expect(stdout).not.toContain('<p>');
  });

  test('takes a script out of the text, and what a text stands for into it', async () => {
    const { stdout } = await ask(['draft', 'ctc_yuki', 'drf_awkward', '--owner', 'usr_ada']);
    expect(stdout).toContain('1 < 2');
    expect(stdout).not.toContain('alert');
  });

  test('prints the HTML as it is', async () => {
    const { stdout } = await ask([...DRAFT, '--html']);
    expect(stdout).toBe(
      '<p>Dear Priya,</p><p>thank you for asking. The figures are <strong>attached</strong>.</p>\n',
    );
  });

  test('prints all of it as JSON', async () => {
    const { stdout } = await ask([...DRAFT, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'drf_welcome',
      channel: 'email',
      source: 'api',
      cc: [{ address: 'ben+outreach@harbour.example' }],
      attachments: [{ name: 'waiting-times.pdf' }, {}],
    });
  });

  test.each([
    ['draft', ['ctc_priya', 'drf_gone', '--owner', 'usr_ada'], 'has no draft drf_gone'],
    ['contact', ['ctc_gone', 'drf_welcome', '--owner', 'usr_ada'], 'the contact ctc_gone'],
    ['owner', ['ctc_priya', 'drf_welcome', '--owner', 'usr_gone'], 'must be a user of the account'],
    [
      'owner in this team',
      ['ctc_priya', 'drf_welcome', '--owner', 'olga@elsewhere.example'],
      'must be a user of its team',
    ],
    ['user by that name', ['ctc_priya', 'drf_welcome', '--owner', 'olga'], 'neither a user id'],
  ])('of a %s that is not there is one sentence and exit 4', async (_, words, said) => {
    const ended = await ask(['draft', ...words]);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(complaintOf(ended)).toContain(said);
    expect(ended.stderr).not.toContain('olga@');
  });

  test('without an owner is exit 2', async () => {
    const { asked, dir } = await untouched();
    expect((await ask(['draft', 'ctc_1', 'drf_1'], {}, dir)).code).toBe(2);
    expect(asked).toEqual([]);
  });
});

describe.concurrent('sluice schema people', () => {
  const CHECK = ['schema', 'people', '--check'];

  test('prints every field with its type, as a table or as JSON', async () => {
    const { code, stdout } = await ask(['schema', 'people']);
    expect(code).toBe(0);
    expect(stdout).toContain('Version of 20240101\n');
    expect(stdout).toMatch(/^lead_id +integer$/m);
    expect(stdout).toMatch(/^experiences\.company_size +string$/m);
    const json = await ask(['schema', 'people', '--json']);
    const { fields, version } = JSON.parse(json.stdout) as {
      fields: { name: string; type: string }[];
      version: object;
    };
    expect(version).toEqual({ since: 20_240_101, type: 'date' });
    expect(fields[0]).toEqual({ name: 'lead_id', type: 'integer' });
    expect(fields.filter(({ name }) => !name.includes('.')).map(({ name }) => name)).toEqual(
      Object.keys(SAMPLE_PERSON),
    );
  });

  test('--check says nothing while nothing changes, the first time and later', async () => {
    const dir = shop();
    const silent = { code: 0, stdout: '', stderr: '' };
    expect(await ask(CHECK, {}, dir)).toMatchObject(silent);
    expect(await ask(CHECK, {}, dir)).toMatchObject(silent);
    const json = JSON.parse((await ask([...CHECK, '--json'], {}, dir)).stdout);
    expect(json).toMatchObject({ is_same: true, last_seen: { added: [] } });
  });

  test('--check tells what changed against the document and the last check: exit 1', async () => {
    const { country: _, title: __, ...rest } = SAMPLE_PERSON;
    let person: Record<string, unknown> = { ...SAMPLE_PERSON };
    const server = await startServer((_request, response) => {
      response.end(JSON.stringify({ schema: person, properties: Object.keys(person) }));
    });
    const dir = shop(server.url);
    expect(await ask(CHECK, {}, dir)).toMatchObject({ code: 0, stdout: '' });

    person = { ...rest, title: 7, nickname: 'x' };
    const changed = await ask(CHECK, {}, dir);
    expect(changed).toMatchObject({ code: 1, stderr: '' });
    const [, documented, last] = changed.stdout.split(/^Against .*:$/m);
    for (const part of [documented, last]) {
      expect(part).toMatch(/^ {2}added +nickname \(string\)$/m);
      expect(part).toMatch(/^ {2}removed +country$/m);
      expect(part).toMatch(/^ {2}retyped +title: string before, integer now$/m);
      expect(part).toMatch(/^ {2}reordered +/m);
    }

    const still = await ask([...CHECK, '--json'], {}, dir);
    expect(still.code).toBe(1);
    expect(JSON.parse(still.stdout)).toMatchObject({
      is_same: false,
      documented: { added: [{ name: 'nickname', type: 'string' }] },
      last_seen: { added: [], removed: [], retyped: [], reordered: [] },
    });
  });

  test('of anything but people, or at no platform, is exit 2', async () => {
    expect((await ask(['schema', 'companies'])).code).toBe(2);
    const nowhere = await openWorkdir().sluice(['schema', 'people']);
    expect(nowhere.code).toBe(2);
    expect(complaintOf(nowhere)).toContain('SLUICE_URL');
  });
});

test('a wait of more than ten seconds is told by a single command, too', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(429, { 'retry-after': '3600' }).end();
  });
  const asking = openWorkdir(server.url).start('schema people --rate off');
  await asking.says('The platform asks to wait until');
  asking.child.kill();
  expect((await asking.ended).stderr).toContain(
    'by "retry-after: 3600". One request a minute asks',
  );
});
