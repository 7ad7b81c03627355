// sluice schema people: the fields of the people database, and how they have changed.
import type { AskedPlatform } from '../../../app/platform/ask-platform.js';
import { systemClock } from '../../../app/system-clock.js';
import {
  compareSchemas,
  documentedFields,
  hasDrifted,
  reportedFields,
  type SchemaDrift,
} from '../../../model/resources/schema-drift.js';
import type { Page, Part } from '../../../tell/page.js';
import { factsOf, notes, table } from '../../../tell/shared.js';
import { EXIT } from '../../exit-codes.js';
import { toggle } from '../../options.js';
import { platformCommand } from '../../platform-command.js';

export const schemaCommand = platformCommand({
  args: {
    of: { choices: ['people'] as const, demandOption: true, describe: 'The schema to print' },
  },
  options: {
    check: toggle(
      'Compare with the documented fields and with the last check; exit code 1 on a change',
    ),
  },
  examples: { 'sluice schema people --check': 'For cron: silent unless something has changed' },
  ask: (asked, { check }) => (check ? checkPeopleSchema(asked) : showPeopleSchema(asked)),
  handler: (page) => page,
});

async function showPeopleSchema({ platform }: AskedPlatform): Promise<Page> {
  const answer = await platform.readPeopleSchema();
  const { version = null } = answer;
  const fields = reportedFields(answer);
  const rows = fields.map(({ name, type }) => [name, type]);
  const list = { isAlone: true, empty: 'The platform named no field.' };
  return {
    title: 'The people database',
    parts: [
      ...notes(version !== null && `Version of ${version.since}`),
      table('Fields', ['field', 'type'], rows, list),
    ],
    data: { version, fields },
  };
}

/** Prints nothing without a change, also on the first check; otherwise prints each change, and the exit code is 1. */
async function checkPeopleSchema({ account, platform, store }: AskedPlatform): Promise<Page> {
  const answer = await platform.readPeopleSchema();
  const { version = null } = answer;
  const now = { version: version?.since ?? null, fields: reportedFields(answer) };
  const before = await store.exchangePeopleSchema(account, now, systemClock.now());
  const documented = compareSchemas({ version: null, fields: documentedFields() }, now);
  const last = before === null ? null : compareSchemas(before, now);
  const isSame = !hasDrifted(documented) && (last === null || !hasDrifted(last));
  if (!isSame) process.exitCode = EXIT.unanswered;
  return {
    title: 'What has changed',
    parts: [
      tellDrift('the documented fields', documented),
      ...(last === null ? [] : [tellDrift('the last check', last)]),
    ],
    data: { isSame, version, documented, lastSeen: last },
  };
}

function tellDrift(since: string, drift: SchemaDrift): Part {
  const { added, removed, retyped, reordered, version } = drift;
  const facts = factsOf(
    ['version', version && `${version.was} before, ${version.is} now`],
    ...added.map(({ name, type }) => ['added', `${name} (${type})`] as const),
    ...removed.map(({ name }) => ['removed', name] as const),
    ...retyped.map(
      ({ name, was, is }) => ['retyped', `${name}: ${was} before, ${is} now`] as const,
    ),
    ['reordered', reordered.length === 0 ? null : reordered.join(', ')],
  );
  return { kind: 'facts', title: `Against ${since}:`, facts };
}
