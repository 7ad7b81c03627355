// What `sluice lists` does, once its command line is understood.
import { addTable, type BadLines } from '../../../app/platform/add-table.js';
import { askPlatform } from '../../../app/platform/ask-platform.js';
import { adoptList as adoptRunList } from '../../../app/state/change-run.js';
import { SluiceError } from '../../../model/errors.js';
import { demandListId } from '../../../model/platform/contact-list.js';
import { expandListName } from '../../../model/text/placeholders.js';
import { printable } from '../../../model/text/printable.js';
import { commandEnvironment } from '../../command-environment.js';
import type { PlatformArguments } from '../../flags/platform-flags.js';
import { findRun, withState } from '../../open-state.js';
import { formatCount, formatNumber } from '../../print/format.js';

export async function createList(template: string, args: PlatformArguments): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const name = expandListName(template, { job: 'sluice', date });
  const answer = await askPlatform(args, commandEnvironment(), async ({ platform }) => {
    const [permit] = await platform.reserve('submit', 1);
    if (permit === undefined) throw new Error('a permit without a signal is always given');
    return platform.createList(name, permit);
  });
  if (answer.kind === 'uncertain') {
    throw new SluiceError(
      'platform',
      `Whether the list "${name}" was created is not known: ${answer.reason}. Look it up on the platform before you create it once more.`,
      { name },
    );
  }
  if (answer.kind === 'refused') {
    throw new SluiceError(
      'platform',
      `The platform refused the list "${name}": ${answer.reason}.`,
      {
        name,
      },
    );
  }
  if (answer.kind !== 'created') throw answer.problem;
  const { id } = answer.list;
  console.log(args.json ? JSON.stringify({ list: id, name }) : printable(`Created ${id}: ${name}`));
}

export async function addToList(
  list: string,
  file: string,
  where: string | undefined,
  args: PlatformArguments,
): Promise<void> {
  demandListId(list);
  const { rows, added, alreadyIn, skipped, doubtful, rejects } = await askPlatform(
    args,
    commandEnvironment(),
    ({ platform }) => addTable(platform, list, { file, where, standardInput: process.stdin }),
  );
  for (const line of [
    ...badLines(rejects, 'line', 'cannot be read'),
    ...badLines(doubtful, 'row', 'left out, being in doubt'),
  ]) {
    console.error(line);
  }
  if (args.json) {
    const counts = { rows, added, already_in: alreadyIn, skipped: skipped + doubtful.count };
    console.log(JSON.stringify({ list, ...counts, rejects: rejects.count }));
    return;
  }
  const unknown =
    skipped === 0 ? '' : `, ${formatNumber(skipped)} without a usable e-mail or profile address`;
  console.log(
    `Added ${formatNumber(added)} to ${printable(list)}; ${formatNumber(alreadyIn)} ${alreadyIn === 1 ? 'was' : 'were'} in already${unknown}.`,
  );
}

/** `2 lines cannot be read: line 3 (broken_json: …), line 7 (…).` */
function badLines({ count, first }: BadLines, noun: string, what: string): string[] {
  if (count === 0) return [];
  const told = first.map(({ place, reason }) => printable(`${place} (${reason})`));
  const more = count > first.length ? [`and ${formatNumber(count - first.length)} more`] : [];
  return [`${formatCount(count, noun)} ${what}: ${[...told, ...more].join(', ')}.`];
}

export async function adoptList(
  runId: number,
  listId: string,
  args: { readonly state: string | undefined; readonly json: boolean },
): Promise<void> {
  demandListId(listId);
  await withState(args.state, async (store, path) => {
    const run = await findRun(store, path, runId);
    await adoptRunList(store, run, listId, path);
    console.log(
      args.json
        ? JSON.stringify({ run: run.id, list: listId })
        : `Run ${run.id} fills ${printable(listId)} from now on. Start its job as before; it continues.`,
    );
  });
}
