import { expect, it } from 'vitest';
import { forgetPerson } from '../../../src/app/state/forget-person.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();
const NOBODY = { emails: [], domains: [], urls: [] };

it.each([
  ['ada@münchen.de', { ...NOBODY, emails: ['ada@xn--mnchen-3ya.de'] }],
  ['ada@xn--mnchen-3ya.de', { ...NOBODY, emails: ['ada@münchen.de'] }],
  ['Ada <ADA@MÜNCHEN.DE>', { ...NOBODY, domains: ['xn--mnchen-3ya.de'] }],
  ['www.münchen.de/ada', { ...NOBODY, urls: ['https://www.xn--mnchen-3ya.de/ada'] }],
  ['uk.linkedin.com/in/ada/en', { ...NOBODY, urls: ['https://www.linkedin.com/in/Ada/details'] }],
])('%s is forgotten by another spelling: %j', async (cell, wish) => {
  const store = openSqliteStore(
    `${folder}/${wish.emails.length}${wish.domains.length}${cell.length}.db`,
  );
  const run = await store.startRun(runPlan(), 1);
  const leads = [{ ...asked(1, 'ada'), cells: [cell] }];
  const times = { at: 1, freshSince: 0, deadlineAt: 9 };
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, times);
  await store.finishReading(run.id);
  await store.endRun(run.id, 'cancelled', 2);
  await store.endRun(run.id, 'finished', 2);
  expect(await forgetPerson(store, wish, true)).toMatchObject({ leads: 1, isErased: true });
  await store.close();
});
