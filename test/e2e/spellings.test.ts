// One person or one platform in many spellings is one payment, and different people are several: the sandbox's ledger
// is the witness.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { openWorkdir } from '../helpers/workdir.js';

const ASK = '--ask find_phone --set rate=off --state state.db';

async function openShop(lines: readonly string[]) {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url).write('leads.csv', `${lines.join('\n')}\n`);
  const enrich = (flags = '') => dir.sluice(`enrich leads.csv --out out.csv ${ASK}${flags}`);
  return { dir, enrich, sandbox };
}

/** How many requests were paid for all of these lines. */
async function paidFor(header: string, lines: readonly string[]): Promise<number> {
  const { dir, enrich, sandbox } = await openShop([header, ...lines]);
  const plan = await dir.sluice(`plan leads.csv ${ASK} --json`);
  const ended = await enrich();
  expect(ended.code, ended.stderr).toBeLessThan(2);
  expect(dir.rows('out.csv')).toHaveLength(lines.length);
  const { accepted } = await sandbox.ledger();
  expect(JSON.parse(plan.stdout)).toMatchObject({ to_pay: accepted });
  return accepted;
}

const ADA = 'linkedin.com/in/ada-lovelace';
const PROFILES = [
  `https://www.${ADA}`,
  `http://www.${ADA}/`,
  ADA,
  `https://uk.${ADA}`,
  `https://m.${ADA}/`,
  `https://de-de.${ADA}`,
  `https://www.${ADA}/en`,
  `https://www.${ADA}/fr/`,
  `https://www.${ADA}/details/experience/`,
  `https://www.${ADA}/recent-activity/all/`,
  `https://www.${ADA}/overlay/contact-info/`,
  `https://www.${ADA}?miniProfileUrn=urn%3Ali%3Afs_miniProfile%3AACoAAABcDeF`,
  `https://www.${ADA}/?originalSubdomain=uk&locale=en_US#about`,
  'HTTPS://WWW.LINKEDIN.COM/in/Ada-Lovelace',
];

describe.concurrent('one payment is made', () => {
  test('for one profile in 14 spellings', async () => {
    expect(await paidFor('LinkedIn URL', PROFILES)).toBe(1);
  });

  test.each([
    [
      'titles, degrees and emoji in two columns',
      'First name,Last name,Website',
      [
        'Ada,Lovelace,engines.example',
        'Dr. Ada,Lovelace,engines.example',
        'Ada,"Lovelace, PhD",engines.example',
        '🚀 Ada,Lovelace,engines.example',
        'Prof. Dr. Ada,Lovelace MBA,https://www.engines.example/about',
      ],
    ],
    [
      'a company with legal form, stops and case',
      'First name,Last name,Company',
      [
        'Ada,Lovelace,Acme',
        'Ada,Lovelace,Acme Inc.',
        'Ada,Lovelace,ACME Inc',
        'Ada,Lovelace,"Acme, Inc."',
      ],
    ],
    [
      'a prefix of the surname, apart or not',
      'First name,Tussenvoegsel,Last name,Website',
      [
        'Ada,van der,Berg,engines.example',
        'Ada,,van der Berg,engines.example',
        'Ada,Van der,van der Berg,engines.example',
      ],
    ],
  ])('for %s', async (_, header, lines) => {
    expect(await paidFor(header, lines)).toBe(1);
  });
});

test('what is sent is spelled as in the file, without titles, degrees and emoji', async () => {
  const { enrich, sandbox } = await openShop([
    'First name,Last name,Company,LinkedIn URL',
    '🚀 Dr. Ada,"LOVELACE, PhD","Acme, Inc.",https://uk.linkedin.com/in/Ada/en',
  ]);
  await enrich();
  expect((await sandbox.entries()).map(({ inputs }) => inputs)).toEqual([
    {
      firstName: 'Ada',
      lastName: 'LOVELACE',
      companyName: 'Acme, Inc.',
      socialUrl: 'https://uk.linkedin.com/in/Ada/en',
    },
  ]);
});
