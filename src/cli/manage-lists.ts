// What `sluice lists` does, once its command line is understood.
import { addTable } from '../app/add-table.js';
import { adoptList as adoptRunList } from '../app/adopt-list.js';
import { askPlatform } from '../app/ask-platform.js';
import { readEnvironment } from '../app/environment.js';
import { SluiceError } from '../domain/errors.js';
import { expandListName } from '../domain/list-name.js';
import { formatNumber } from './format.js';
import { findRun, withState } from './open-state.js';
import type { PlatformArguments } from './platform-flags.js';
import { printable } from './summary.js';

export async function createList(template: string, args: PlatformArguments): Promise<void> {
  const date = new Date().toISOString().slice(0, 10);
  const name = expandListName(template, { job: 'sluice', date });
  const answer = await askPlatform(args, readEnvironment(), async ({ platform }) => {
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
  console.log(args.json ? JSON.stringify({ list: id, name }) : `Created ${id}: ${printable(name)}`);
}

export async function addToList(
  list: string,
  file: string,
  where: string | undefined,
  args: PlatformArguments,
): Promise<void> {
  const { rows, added, alreadyIn, skipped } = await askPlatform(
    args,
    readEnvironment(),
    ({ platform }) => addTable(platform, list, { file, where, standardInput: process.stdin }),
  );
  if (args.json) {
    console.log(JSON.stringify({ list, rows, added, already_in: alreadyIn, skipped }));
    return;
  }
  const unknown =
    skipped === 0 ? '' : `, ${formatNumber(skipped)} have neither an e-mail nor a profile`;
  console.log(
    `Added ${formatNumber(added)} to ${printable(list)}; ${formatNumber(alreadyIn)} were in already${unknown}.`,
  );
}

export async function adoptList(
  runId: number,
  listId: string,
  args: { readonly state: string | undefined; readonly json: boolean },
): Promise<void> {
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
