// The schema of the people database, for people and for scripts.
import { askPlatform } from '../../../app/platform/ask-platform.js';
import { systemClock } from '../../../app/system-clock.js';
import {
  compareFields,
  documentedFields,
  hasDrifted,
  reportedFields,
  type SchemaDrift,
} from '../../../model/platform/schema-drift.js';
import { printable, printableJson } from '../../../model/text/printable.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import type { PlatformArguments } from '../../flags/platform-flags.js';
import { formatTable } from '../format.js';

export async function showPeopleSchema(args: PlatformArguments): Promise<void> {
  const told = await askPlatform(args, commandEnvironment(), ({ platform }) =>
    platform.readPeopleSchema(),
  );
  const fields = reportedFields(told);
  if (args.json) {
    console.log(printableJson(JSON.stringify({ version: told.version ?? null, fields })));
    return;
  }
  if (told.version !== undefined) console.log(`Version of ${told.version.since}`);
  const rows = fields.map(({ name, type }) => [name, type]);
  for (const line of formatTable(['field', 'type'], rows)) console.log(line);
}

/** Silent and 0 without a change, also on the first check; otherwise each change on a line, and 1. */
export async function checkPeopleSchema(args: PlatformArguments): Promise<void> {
  const { version, documented, last } = await askPlatform(
    args,
    commandEnvironment(),
    async ({ account, platform, store }) => {
      const told = await platform.readPeopleSchema();
      const fields = reportedFields(told);
      const before = await store.exchangePeopleFields(account, fields, systemClock.now());
      return {
        version: told.version ?? null,
        documented: compareFields(documentedFields(), fields),
        last: before === null ? null : compareFields(before, fields),
      };
    },
  );
  const isSame = !hasDrifted(documented) && (last === null || !hasDrifted(last));
  if (args.json) {
    console.log(
      printableJson(JSON.stringify({ is_same: isSame, version, documented, last_seen: last })),
    );
  } else {
    printDrift('the documented fields', documented);
    if (last !== null) printDrift('the last check', last);
  }
  if (!isSame) process.exitCode = EXIT.unanswered;
}

function printDrift(since: string, drift: SchemaDrift): void {
  if (!hasDrifted(drift)) return;
  console.log(`Against ${since}:`);
  for (const { name, type } of drift.added)
    console.log(`  added      ${printable(name)} (${type})`);
  for (const { name } of drift.removed) console.log(`  removed    ${printable(name)}`);
  for (const { name, was, is } of drift.retyped) {
    console.log(`  retyped    ${printable(name)}: ${was} before, ${is} now`);
  }
  if (drift.reordered.length > 0) {
    console.log(`  reordered  ${drift.reordered.map(printable).join(', ')}`);
  }
}
