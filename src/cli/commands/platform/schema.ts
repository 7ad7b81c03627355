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
import { command, type Said, sayLines } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { JSON_OPTION, PLATFORM_OPTIONS, type PlatformArguments, toggle } from '../../options.js';
import { formatTable } from '../../print/format.js';

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

async function showPeopleSchema(args: PlatformArguments): Promise<Said> {
  const answer = await askPlatform(args, commandEnvironment(), ({ platform }) =>
    platform.readPeopleSchema(),
  );
  const fields = reportedFields(answer);
  const rows = fields.map(({ name, type }) => [name, type]);
  const version = answer.version === undefined ? [] : [`Version of ${answer.version.since}`];
  return {
    json: { version: answer.version ?? null, fields },
    lines: [...version, ...formatTable(['field', 'type'], rows)],
  };
}

/** Prints nothing without a change, also on the first check; otherwise prints each change, and the exit code is 1. */
async function checkPeopleSchema(args: PlatformArguments): Promise<Said> {
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
  const lines = [
    ...driftLines('the documented fields', documented),
    ...(last === null ? [] : driftLines('the last check', last)),
  ];
  return sayLines(lines, { isSame, version, documented, lastSeen: last });
}

function driftLines(since: string, drift: SchemaDrift): string[] {
  if (!hasDrifted(drift)) return [];
  const { added, removed, retyped, reordered, version } = drift;
  return [
    `Against ${since}:`,
    ...(version === null ? [] : [`  version    ${version.was} before, ${version.is} now`]),
    ...added.map(({ name, type }) => `  added      ${name} (${type})`),
    ...removed.map(({ name }) => `  removed    ${name}`),
    ...retyped.map(({ name, was, is }) => `  retyped    ${name}: ${was} before, ${is} now`),
    ...(reordered.length === 0 ? [] : [`  reordered  ${reordered.join(', ')}`]),
  ];
}
