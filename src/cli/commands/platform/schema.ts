// sluice schema people: the fields of the people database, and how they have changed.
import { askPlatform } from '../../../app/platform/ask-platform.js';
import { systemClock } from '../../../app/system-clock.js';
import {
  compareSchemas,
  documentedFields,
  hasDrifted,
  reportedFields,
  type SchemaDrift,
} from '../../../model/resources/schema-drift.js';
import type { Page, Part } from '../../../tell/page.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { JSON_OPTION, PLATFORM_OPTIONS, type PlatformArguments, toggle } from '../../options.js';

export const schemaCommand = command({
  args: {
    of: {
      choices: ['people'] as const,
      demandOption: true,
      describe: 'The schema to print',
    },
  },
  options: {
    check: toggle(
      'Compare with the documented fields and with the last check; exit code 1 on a change',
    ),
    ...PLATFORM_OPTIONS,
    ...JSON_OPTION,
  },
  examples: { 'sluice schema people --check': 'For cron: silent unless something has changed' },
  handler: async (args) => (args.check ? checkPeopleSchema(args) : showPeopleSchema(args)),
});

async function showPeopleSchema(args: PlatformArguments): Promise<Page> {
  const answer = await askPlatform(args, commandEnvironment(), ({ platform }) =>
    platform.readPeopleSchema(),
  );
  const { version = null } = answer;
  const fields = reportedFields(answer);
  return {
    title: 'The people database',
    parts: [
      ...(version === null ? [] : [{ kind: 'note', text: `Version of ${version.since}` } as const]),
      {
        kind: 'table',
        title: 'Fields',
        isAlone: true,
        columns: [{ name: 'field' }, { name: 'type' }],
        rows: fields.map(({ name, type }) => [name, type]),
        empty: 'The platform named no field.',
      },
    ],
    data: { version, fields },
  };
}

/** Prints nothing without a change, also on the first check; otherwise prints each change, and the exit code is 1. */
async function checkPeopleSchema(args: PlatformArguments): Promise<Page> {
  const { version, documented, last } = await askPlatform(
    args,
    commandEnvironment(),
    async ({ account, platform, store }) => {
      const answer = await platform.readPeopleSchema();
      const now = { version: answer.version?.since ?? null, fields: reportedFields(answer) };
      const before = await store.exchangePeopleSchema(account, now, systemClock.now());
      return {
        version: answer.version ?? null,
        documented: compareSchemas({ version: null, fields: documentedFields() }, now),
        last: before === null ? null : compareSchemas(before, now),
      };
    },
  );
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
  const facts = [
    { name: 'version', value: version && `${version.was} before, ${version.is} now` },
    ...added.map(({ name, type }) => ({ name: 'added', value: `${name} (${type})` })),
    ...removed.map(({ name }) => ({ name: 'removed', value: name })),
    ...retyped.map(({ name, was, is }) => ({
      name: 'retyped',
      value: `${name}: ${was} before, ${is} now`,
    })),
    { name: 'reordered', value: reordered.length === 0 ? null : reordered.join(', ') },
  ];
  return { kind: 'facts', title: `Against ${since}:`, facts };
}
