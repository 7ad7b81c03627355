// The JSON of every command, by keys and types, over a run, a full state and a waterfall: json.txt has them, a line for
// each command. `vitest -u` writes it anew; a key that changes stands in CHANGELOG.md.
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { fillState } from '../helpers/full-state.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { openPlace, startThree } from '../helpers/waterfall.js';
import { finishedRun, openPrepared, people } from '../helpers/workdir.js';

const PLATFORM = '--rate off --state state.db';
const ASK = `leads.csv --ask find_email --set rate=off --state state.db`;

/** `@1` is the first value that the command before has printed, `@ticket` an enrichment of the run. */
const OF_A_RUN = [
  'caps set --day 90 --url sandbox --state state.db',
  'doctor leads.csv --state state.db',
  `plan ${ASK} --positions long --sample 3`,
  `enrich ${ASK} --out out.csv --report page.html`,
  'lookup firstName=Eve1 lastName=Byron companyDomain=firm1.com --tell --state state.db',
  'status 1 --state state.db --series',
  'runs --state state.db',
  'explain 1 2 --state state.db',
  'explain 1 16 --state state.db',
  'export 1 --out again.csv --state state.db',
  'report 1 --state state.db',
  'report --compare 1 2 --state state.db --changes changes.csv',
  'audit invoice.csv --url sandbox --account sandbox --state state.db --claims claims.csv',
  'state forget companyDomain=firm3.com --yes --suppress --state state.db',
  'retry 1 --state state.db',
  'pause leads.csv --state state.db',
  'resume leads.csv --state state.db',
  `replay ${ASK}`,
  'caps --state state.db',
  'caps remove --url sandbox --state state.db',
  'suppress add email=ada@ada.com --reason no --state state.db',
  'suppress import people.csv --state state.db',
  'suppress list --state state.db',
  'suppress check email=ada@ada.com --state state.db',
  'suppress remove 1 --state state.db',
  'state backup copy.db --state state.db',
  'state prune --older-than 1h --dry-run --state state.db',
];
const OF_A_FULL_STATE = [
  'status 2 --state full.db',
  'status 4 --state full.db',
  'explain 3 5 --state full.db',
  'explain 2 9 --state full.db',
  'cancel 4 --state full.db',
  'status --deliveries --state full.db',
  'events --state full.db',
  'events --state full.db --out events.csv',
  'schedule --state full.db',
  'state prune --older-than 1d --yes --state full.db',
  'state copy full.db moved.db',
];
const OF_THE_PLATFORM = [
  `lists create Warm ${PLATFORM}`,
  `lists add @1 people.csv ${PLATFORM}`,
  `hooks add https://there.example/hook ${PLATFORM}`,
  `hooks list ${PLATFORM}`,
  `hooks rotate @1 ${PLATFORM}`,
  `hooks remove @1 ${PLATFORM}`,
  `result @ticket ${PLATFORM}`,
  `schema people ${PLATFORM}`,
  `schema people --check ${PLATFORM}`,
  'dialect list',
  'dialect check acme.yaml --transcript calls.http',
];
const SECRET = { SLUICE_WEBHOOK_SECRET: 'an agreed word' };
const CALLS =
  '# lead: email=a@b.example\n# ask: verify_email\nPOST /enrich?verifyEmail=true&mail=a@b.example\n< {"id": "e-1"}\n';
const OF_A_WATERFALL = [
  'plan job.yaml --credentials accounts.yaml',
  'run job.yaml --credentials accounts.yaml',
  'status --state state.db',
  'explain 1 2 --state state.db',
  'report 1 --state state.db',
];

test('the JSON of every command has the keys and types that it had', async () => {
  const sandbox = await startSandboxProcess();
  const dir = await openPrepared(finishedRun, sandbox.url);
  const tickets = dir.rows('out.csv').map((row) => row['enrichment_id'] ?? '');
  dir.write(
    'invoice.csv',
    ['ticket,credits,date', ...tickets.map((one) => `${one},5,2026-01-01`), ''].join('\n'),
  );
  dir.write('people.csv', 'email,note\nada@ada.com,x\nbob@bob.com,y\n');
  dir.write('acme.yaml', 'enrich: { inputs: { email: mail } }\n').write('calls.http', CALLS);
  const full = openSqliteStore(dir.at('full.db'));
  await fillState(full);
  await full.close();
  const chain = openPlace((await startThree()).steps, people(6));

  const printed: string[] = [];
  for (const [place, commands] of [
    [dir, OF_A_RUN],
    [dir, OF_A_FULL_STATE],
    [dir, OF_THE_PLATFORM],
    [chain, OF_A_WATERFALL],
  ] as const) {
    let last = '';
    for (const command of commands) {
      const ticket = () => dir.rows('out.csv')[0]?.['enrichment_id'] ?? '';
      const words = command.replace('@1', last).replace('@ticket', ticket);
      const ended = await place.sluice(`${words} --json`, { env: SECRET });
      if (ended.stdout === '') throw new Error(ended.stderr);
      const lines = ended.stdout.trimEnd().split('\n');
      const all = lines.map((line) => JSON.parse(line) as unknown);
      last = String(Object.values([all[0] ?? {}].flat()[0] ?? {})[0]);
      printed.push(`${command}: ${all.length > 1 ? shapeOf(all) : shapeOf(all[0])}`);
    }
  }
  await expect(`${printed.join('\n')}\n`).toMatchFileSnapshot('json.txt');
});

/** `{name: text, known: [{line: number}]}`; what the items of a list differ in is `text | null`. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${unionOf(value)}]`;
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return unionOf([value]);
}

function unionOf(values: readonly unknown[]): string {
  const isObject = (one: unknown): one is object =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  const objects = values
    .filter(isObject)
    .map((one) => new Map<string, unknown>(Object.entries(one)));
  const shapes = new Set(values.filter((one) => !isObject(one)).map(shapeOf));
  if (objects.length > 0) {
    const keys = [...new Set(objects.flatMap((one) => [...one.keys()]))];
    const members = keys.map((key) => {
      const held = objects.filter((one) => one.has(key)).map((one) => one.get(key));
      return `${key}${held.length < objects.length ? '?' : ''}: ${unionOf(held)}`;
    });
    shapes.add(`{${members.join(', ')}}`);
  }
  return [...shapes].toSorted().join(' | ');
}
