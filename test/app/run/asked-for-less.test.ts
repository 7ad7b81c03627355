// A state file of 0.1.0, which asked for less where it took the inputs for insufficient: what it paid for is not paid
// for anew because this release asks for more.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { planJob } from '../../../src/app/plan/plan-job.js';
import { askingTerms, termsDigest } from '../../../src/app/run/asking-terms.js';
import { runJob } from '../../../src/app/run/run-job.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { digest, digestHex } from '../../../src/identity/digest.js';
import { type Ask, INPUTS as INPUTS_IN_ORDER } from '../../../src/model/ask.js';
import { formerCanonicalText } from '../../../src/model/fingerprint.js';
import { openSandbox, type Sandbox } from '../../../src/sandbox/open-sandbox.js';
import { MIGRATIONS } from '../../../src/store/sqlite/database/migrations.js';
import { runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const ASK: Ask[] = ['find_email', 'find_phone'];
const INPUTS = { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'engines.example' };
const LEADS = 'first_name,last_name,domain\nAda,Lovelace,engines.example\n';

const open: Sandbox[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Before {
  /** What the run of 0.1.0 wanted. */
  readonly wanted: readonly Ask[];
  /** What the state of its enrichment is, and when that was settled. */
  readonly sets?: string;
}

/** A job with the state of a run that asked for one lead's e-mail address alone, and paid 5 credits for it. */
async function before010({ wanted, sets = `state = 'found'` }: Before, ask = ASK) {
  const folder = tempFolder();
  const [input, state] = [join(folder, 'leads.csv'), join(folder, 'sluice.db')];
  const sandbox = await openSandbox({ rate: 'off' });
  open.push(sandbox);
  const environment = readEnvironment({ SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' });
  const account = digestHex(`${sandbox.url}\nsandbox`);
  const db = new Database(state);
  for (const step of MIGRATIONS.slice(0, 6)) db.exec(step);
  db.pragma('application_id = 0x536c7569');
  db.pragma('user_version = 6');
  const plan = JSON.stringify(runPlan({ account, ask: wanted }));
  db.prepare(
    `INSERT INTO runs (job, state, plan, lead_count, started_at, ended_at) VALUES ('old', 'finished', ?, 1, 1, 2)`,
  ).run(plan);
  db.prepare(
    `INSERT INTO enrichments (fingerprint, run_id, paid_by, state, ask, inputs, ticket, reason, credits,
       submitted_at, settled_at, poll_at, deadline_at, send_count)
     VALUES (?, 1, 1, 'found', 'find_email', ?, 'enr_1', 'why', 5, 1, ?, 1, 1, 1)`,
  ).run(
    digest(formerCanonicalText({ ask: ['find_email'], inputs: INPUTS }, account)),
    JSON.stringify(INPUTS),
    Date.now(),
  );
  db.exec(`DROP TRIGGER arrows; UPDATE enrichments SET ${sets};
    INSERT INTO leads VALUES (1, 1, 0, 2, '["Ada","Lovelace","engines.example"]', NULL, 1, 1);
    INSERT INTO results VALUES (1, '{"find_email":{"email":"ada@engines.example"}}')`);
  db.exec(MIGRATIONS[4]?.match(/CREATE TRIGGER arrows[\s\S]*?END;/)?.[0] ?? '');
  db.close();
  writeFileSync(input, LEADS);
  const job = { input, out: join(folder, 'out.ndjson'), url: sandbox.url, ask, state, rate: 'off' };
  const settings = describeJob('new', job, environment);
  return { environment, sandbox, settings };
}

it('the files of a drop folder that were done under the former rule are done', async () => {
  const { settings } = await before010({ wanted: ASK });
  const names = [
    ['firstName', 'lastName', 'companyDomain'],
    ['firstName', 'lastName', 'companyName'],
  ];
  const former = {
    find_email: [['socialUrl'], ...names],
    verify_email: [['email']],
    social_enrichment: [['socialUrl'], ['email'], ...names],
    find_phone: [['socialUrl']],
  };
  const terms = askingTerms(settings, NEUTRAL_DIALECT, 'account');
  const text = [
    'account',
    ASK,
    INPUTS_IN_ORDER.map(() => null),
    former,
    null,
    null,
    null,
    null,
    null,
  ];
  expect(termsDigest(settings, terms, true)).toBe(digestHex(JSON.stringify(text)));
  const withSheet = [...text, { sheet: 'Leads' }];
  expect(termsDigest({ ...settings, sheet: 'Leads' }, terms, true)).toBe(
    digestHex(JSON.stringify(withSheet)),
  );
});

describe('what 0.1.0 asked for less than its job wanted', () => {
  it('answers the same job without a payment, and says what is not asked for', async () => {
    const { environment, sandbox, settings } = await before010({ wanted: ASK });
    expect(await planJob(settings, { environment })).toMatchObject({
      alreadyPaid: 1,
      toPay: 0,
      creditsMax: 0,
      inPart: [{ leads: 1, reason: expect.stringContaining('ask for find_phone in a job of its') }],
    });
    const [report] = await runJob(settings, { environment });
    expect(sandbox.ledger.summary()).toMatchObject({ accepted: 0 });
    const reason: unknown = expect.stringContaining('ask for find_phone in a job of its');
    expect(report?.tally).toMatchObject({
      byStatus: { found: 1 },
      credits: 0,
      fromCache: 1,
      inPart: { leads: 1, reasons: [{ leads: 1, reason }] },
    });
  });

  it.each([
    ['has no answer yet', `state = 'awaiting', settled_at = NULL`, { onTheirWay: 1 }],
    [
      'may have been sent',
      `state = 'uncertain', settled_at = NULL, ticket = NULL`,
      { uncertain: 1 },
    ],
  ])('stands in its place where it %s', async (_, sets, forecast) => {
    const { environment, settings } = await before010({ wanted: ASK, sets });
    expect(await planJob(settings, { environment })).toMatchObject({ ...forecast, toPay: 0 });
  });

  it.each([
    ['is not fresh', `settled_at = 1`],
    ['was refused', `state = 'failed', ticket = NULL`],
    ['was never sent', `state = 'queued', settled_at = NULL, paid_by = NULL, send_count = 0`],
  ])('does not where it %s: all is asked for', async (_, sets) => {
    const { environment, sandbox, settings } = await before010({ wanted: ASK, sets });
    expect(await planJob(settings, { environment })).toMatchObject({ toPay: 1, creditsMax: 25 });
    await runJob(settings, { environment });
    expect(sandbox.ledger.entries()).toMatchObject([{ ask: ASK }]);
  });

  it('does not where a job wanted no more: who asks for more now wants it', async () => {
    const { environment, settings } = await before010({ wanted: ['find_email'] });
    expect(await planJob(settings, { environment })).toMatchObject({ toPay: 1, inPart: [] });
  });

  it('leaves the rest to a job of its own, which pays for that alone', async () => {
    const { environment, sandbox, settings } = await before010({ wanted: ASK }, ['find_phone']);
    await runJob(settings, { environment });
    expect(sandbox.ledger.entries()).toMatchObject([{ ask: ['find_phone'] }]);
  });
});
