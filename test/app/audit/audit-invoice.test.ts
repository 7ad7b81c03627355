// Audits of invoices against a state file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AuditWish, auditInvoice } from '../../../src/app/audit/audit-invoice.js';
import type { Run } from '../../../src/model/run.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { accepted, found, T0, TIMES, uncertain } from '../../contract/store-bench.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const DATE = new Date(T0).toISOString();
let folder: string;
let store: Store;
let run: Run;
let position = 0;
beforeEach(async () => {
  folder = tempFolder();
  store = openSqliteStore(join(folder, 'state.db'));
  run = await store.startRun(runPlan(), T0);
  position = 0;
});
afterEach(() => store.close());

async function send(who: string) {
  position += 1;
  const leads = [asked(position, who)];
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  const [one] = (await store.claim(run.id, 1, T0)).claimed;
  if (one === undefined) throw new Error('nothing was claimed');
  return one;
}

async function find(who: string): Promise<string> {
  const one = await send(who);
  await store.recordSubmits([accepted(one)]);
  await store.settle([found(one.id)]);
  return `enr_${one.id}`;
}

async function loseSend(who: string): Promise<void> {
  await store.recordSubmits([uncertain(await send(who))]);
}

function audit(lines: readonly string[], changes: Partial<AuditWish> = {}) {
  const file = join(folder, 'invoice.csv');
  writeFileSync(file, [...lines, ''].join('\n'));
  return auditInvoice(store, {
    file,
    map: {},
    options: { standardInput: Readable.from([]) },
    account: run.account,
    force: false,
    ...changes,
  });
}

it('adds up to the list, and to what is too many on it', async () => {
  const tickets = [await find('ada'), await find('bob'), await find('cyd')] as const;
  const rows = ['ticket,date,credits', `${tickets[0]},${DATE},5`, `${tickets[1]},${DATE},7`];
  const { credits, findings } = await audit([...rows, `enr_x,${DATE},5`]);
  expect(credits).toBe(17);
  expect(findings).toMatchObject({
    agreed: { credits: 5, over: 0 },
    other_price: { credits: 7, over: 2 },
    never_asked: { credits: 5, over: 5 },
    not_charged: { credits: 0, over: -5 },
  });
});

const countsOf = ({ findings }: Awaited<ReturnType<typeof audit>>) =>
  Object.fromEntries(
    Object.entries(findings).flatMap(([finding, { charges }]) =>
      charges > 0 ? [[finding, charges]] : [],
    ),
  );

it('leaves as many unknown tickets unexplained as there are more than sends without a ticket', async () => {
  const ticket = await find('ada');
  await loseSend('bob');
  const rows = ['ticket,date,credits', `${ticket},${DATE},5`, `enr_x,${DATE},5`];
  const one = await audit(rows);
  expect(countsOf(one)).toEqual({ agreed: 1, unknown_ticket: 1 });
  expect(one).toMatchObject({ isUnexplained: false, unnamed: 1 });
  const two = await audit([...rows, `enr_y,${DATE},5`]);
  expect(countsOf(two)).toEqual({ agreed: 1, unknown_ticket: 2 });
  expect(two.isUnexplained).toBe(true);
});

it('refuses a list whose charges are negative: each would pass for a refund', async () => {
  const ticket = await find('ada');
  const rows = ['ticket,date,credits', `${ticket},${DATE},-5`, `${ticket},${DATE},-5`];
  await expect(audit(rows)).rejects.toThrow(/add up to less than 0.*Turn the signs/);
});

it('does not take an uncertain send of another month for an explanation', async () => {
  const ticket = await find('ada');
  await loseSend('bob');
  const later = new Date(T0 + 40 * 86_400_000).toISOString();
  const report = await audit(['ticket,date,credits', `enr_x,${later},5`]);
  expect(countsOf(report)).toEqual({ never_asked: 1 });
  expect(ticket).not.toBe('');
});

it('takes the column whose tickets are known', async () => {
  const ticket = await find('ada');
  const report = await audit(['reference,id,credits,date', `ref_1,${ticket},5,${DATE}`]);
  expect(countsOf(report)).toEqual({ agreed: 1 });
  expect(report.columns).toMatchObject({ ticket: 'id' });
});

it('knows the charges of a bulk call by the one id that it got', async () => {
  for (const [i, who] of ['ada', 'bob'].entries()) {
    const one = await send(who);
    await store.recordSubmits([accepted(one, `bulk_7~${i + 1}of2`)]);
    await store.settle([found(one.id)]);
  }
  const sum = await audit(['ticket,date,credits', `bulk_7,${DATE},10`]);
  expect(countsOf(sum)).toEqual({ agreed: 1 });
  const each = ['ticket,date,credits', `bulk_7,${DATE},5`, `bulk_7,${DATE},5`, `bulk_7,${DATE},5`];
  const three = await audit(each);
  expect(countsOf(three)).toEqual({ agreed: 2, charged_twice: 1 });
  expect(three.findings.agreed.credits + three.findings.charged_twice.credits).toBe(15);
});
