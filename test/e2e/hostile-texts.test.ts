// Texts of strangers (the name of a file, what a platform says, a column) on their way to a terminal, a log and a
// table: they stay texts.
import { describe, expect, test } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess('--latency 20ms', '1000/1s');
/** A colour, another title by C1 controls, another direction, and a line that looks like ours. */
const EVIL = '\u001b[31m\u009d0;x\u009c\u202e\u2028\r\nsluice: all is well';
const FORMULA = '=HYPERLINK("http://evil.example")';
const STEERS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** In a table, which has line ends. */
const CONTROL = /(?!\r?\n)[\p{Cc}\p{Bidi_Control}]/u;
const ASK = ['--ask', 'find_email', '--state', 'state.db', '--set', 'rate=off'];

async function expectHarmless(dir: Workdir, lines: readonly (readonly string[])[]): Promise<void> {
  for (const line of lines) {
    const { stdout, stderr } = await dir.sluice(line);
    expect(stdout + stderr).not.toBe('');
    expect(STEERS.exec(stdout + stderr)).toBeNull();
    expect((stdout + stderr).split('\n')).not.toContain('sluice: all is well');
    for (const json of stdout.split('\n').filter((text) => text.startsWith('{'))) JSON.parse(json);
  }
}

describe.concurrent('what strangers wrote', () => {
  test('steers no terminal, and begins no line, where it is the name of a file', async () => {
    const name = `leads${EVIL}.csv`;
    const dir = openWorkdir(sandbox.url).write(name, csv(people(1)));
    await expectHarmless(dir, [
      ['enrich', name, '--out', 'out.csv', ...ASK],
      ['enrich', name, '--out', 'out.csv', ...ASK, '--json'],
      ['enrich', name, '--out', 'out.csv', ...ASK, '--log-level', 'info'],
      ['runs', '--state', 'state.db'],
      ['runs', '--state', 'state.db', '--ndjson'],
      ['status', '--state', 'state.db'],
      ['status', '--state', 'state.db', '--json'],
      ['pause', name, '--state', 'state.db'],
      ['enrich', name, '--out', 'out.csv', ...ASK],
      ['resume', name, '--state', 'state.db'],
      ['retry', '1', '--only', 'failed', '--state', 'state.db'],
      ['explain', '1', '2', '--state', 'state.db'],
      ['plan', name, ...ASK],
      ['doctor', name, '--state', 'state.db'],
      ['enrich', `missing${EVIL}.csv`, '--out', 'out.csv', ...ASK],
      ['enrich', `missing${EVIL}.csv`, '--out', 'out.csv', ...ASK, '--json'],
      ['run', `missing${EVIL}`],
      [`unknown${EVIL}`],
      ['runs', '--state', `missing${EVIL}.db`],
    ]);
  });

  test('steers no terminal, and begins no line, where the platform says it', async () => {
    const platform = await startServer((request, response) => {
      const isPost = request.method === 'POST';
      response.statusCode = isPost ? 422 : 200;
      response.end(JSON.stringify(isPost ? { error: EVIL } : { schema: { [EVIL]: EVIL } }));
    });
    const dir = openWorkdir(platform.url).write('leads.csv', csv(people(1)));
    await expectHarmless(dir, [
      ['enrich', 'leads.csv', '--out', 'out.csv', ...ASK],
      ['status', '--state', 'state.db'],
      ['explain', '1', '2', '--state', 'state.db'],
      ['explain', '1', '2', '--state', 'state.db', '--json'],
      ['schema', 'people', '--rate', 'off'],
    ]);
    expect(dir.rows('out.csv')[0]?.['sluice_reason']).toContain('all is well');
    expect(STEERS.test(dir.rows('out.csv')[0]?.['sluice_reason'] ?? '')).toBe(false);
  });

  test('steers no terminal where the platform found it, in no table and on no screen', async () => {
    const result = {
      find_email: { email: `ada${EVIL}@x.example`, status: `valid${EVIL}` },
      social_enrichment: {
        tagline: `CEO${EVIL}`,
        positionGroups: [
          {
            company: { name: `Firm${EVIL}` },
            profilePositions: [{ title: EVIL }, { title: FORMULA }],
          },
        ],
      },
    };
    const platform = await startServer((request, response) => {
      const isPost = request.method === 'POST';
      const found = { schema: {}, properties: [], data: [{ id: 'enr_1', data: result }] };
      response.end(JSON.stringify(isPost ? { id: 'enr_1' } : found));
    });
    const dir = openWorkdir(platform.url).write('leads.csv', csv(people(1)));
    const ask = [
      '--ask',
      'find_email,social_enrichment',
      '--state',
      'state.db',
      '--set',
      'rate=off',
    ];
    const tables = ['--set', 'out.positions=positions.csv', '--set', 'out.companies=companies.csv'];
    await dir.sluice(['enrich', 'leads.csv', '--out', 'out.csv', ...tables, ...ask]);
    await dir.sluice(['export', '1', '--out', 'out.ndjson', '--state', 'state.db']);
    for (const file of ['out.csv', 'positions.csv', 'companies.csv', 'out.ndjson']) {
      expect(dir.text(file)).toContain('all is well');
      expect(CONTROL.exec(dir.text(file))).toBeNull();
    }
    // Nor is it a formula where the table is opened.
    const cells = dir.cells('positions.csv').flat();
    expect(cells).toContain(`'${FORMULA}`);
    expect(cells).not.toContain(FORMULA);
    const { stdout } = await dir.sluice(['export', '1', '--out', '-', '--state', 'state.db']);
    expect(stdout).toContain('all is well');
    expect(CONTROL.exec(stdout)).toBeNull();
    await expectHarmless(dir, [
      ['status', '--state', 'state.db'],
      ['explain', '1', '2', '--state', 'state.db'],
      ['explain', '1', '2', '--state', 'state.db', '--json'],
    ]);
  });

  test('goes to a platform as a value, and comes out of a table as it went in', async () => {
    const asked: string[] = [];
    const platform = await startServer((request, response) => {
      if (request.method === 'POST') asked.push(request.url ?? '');
      response.end(JSON.stringify({ schema: {}, id: 'enr_1', data: [{ id: 'enr_1', data: {} }] }));
    });
    const cell = 'Ada\r\nx-evil: 1&findPhone=true#\u001b[31m';
    const dir = openWorkdir(platform.url);
    dir.write('leads.csv', `first_name,last_name,domain\n"${cell}",B,a.com\n`);
    await dir.sluice(['enrich', 'leads.csv', '--out', 'out.csv', ...ASK]);
    const { searchParams } = new URL(asked[0] ?? '', 'http://x');
    expect(searchParams.get('firstName')).toBe('Ada  x-evil: 1&findPhone=true# [31m');
    expect([...searchParams.keys()]).not.toContain('findPhone');
    expect(dir.rows('out.csv')[0]?.['first_name']).toBe(cell);
  });

  test('is a column like any other where it is called like the prototype', async () => {
    const dir = openWorkdir(sandbox.url);
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    dir.write('a.csv', `first_name,last_name,domain,${names.join(',')}\nAda,B,a.com,p,c,t,h\n`);
    const own = names.map((name, i) => `"${name}":"${'pcth'[i]}"`).join(',');
    dir.write('b.ndjson', `{"first_name":"Ada","last_name":"B","domain":"a.com",${own}}\n`);
    for (const input of ['a.csv', 'b.ndjson']) {
      const args = ['enrich', input, '--out', `${input}.out.ndjson`, ...ASK, '--json'];
      expect(await dir.sluice(args)).toMatchObject({ code: 0 });
      const row = JSON.parse(dir.text(`${input}.out.ndjson`)) as Record<string, unknown>;
      expect(names.map((name) => Object.getOwnPropertyDescriptor(row, name)?.value)).toEqual([
        'p',
        'c',
        't',
        'h',
      ]);
      expect(row['sluice_status']).toBe('found');
    }
  });

  test('ends no run where it is nested without an end', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const lead = '"first_name":"Ada","last_name":"B","domain":"a.com"';
    const dir = openWorkdir(sandbox.url);
    dir.write('leads.ndjson', `{${lead},"x":${deep}}\n{${lead},"x":1}\n`);
    const ended = await dir.sluice(['enrich', 'leads.ndjson', '--out', 'out.csv', ...ASK]);
    expect(ended.code).toBe(0);
    expect(dir.rows('out.csv').map((row) => row['sluice_status'])).toEqual(['found']);
    expect(dir.rows('out.rejects.csv')[0]?.['reason']).toContain('nested too deeply');
  });
});

describe.concurrent('a secret', () => {
  test.each(['--password', '--secret', '--username', '--token'])(
    'has no flag, and is not repeated where a user gives it one: %s',
    async (flag) => {
      const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(1)));
      for (const words of [[`${flag}=hunter2-xyz`], [flag, 'hunter2-xyz']]) {
        const ended = await dir.sluice(['enrich', 'leads.csv', '--out', 'o.csv', ...ASK, ...words]);
        expect(ended.code).toBe(2);
        expect(complaintOf(ended)).not.toContain('hunter2');
      }
      const hook = await dir.sluice(['hooks', 'add', 'https://a.example', flag, 'hunter2-xyz']);
      expect(hook.code).toBe(2);
      expect(hook.stdout + hook.stderr).not.toContain('hunter2');
    },
  );
});
