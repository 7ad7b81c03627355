// node scripts/bring-state.mjs OLD NEW: brings a state that was made before the baseline of the schema to a new one beside
// it, with everything that was paid for. Each is a file, or an address of a database with a schema of its own. The old one
// is marked as moved, so that no lead is paid for from both. Cut off, it goes on when it is started again.
//
// It needs `npm run build`, and is deleted at the first release.
import { copyState } from '../dist/app/state/copy-state.js';
import { openArchive } from '../dist/store/open-store.js';
import { openOld } from './bring-state/open-old.mjs';

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) {
  console.error('usage: node scripts/bring-state.mjs OLD NEW');
  process.exit(2);
}
try {
  const source = await openOld(from);
  const target = await openArchive(to, 'target');
  try {
    const { rows } = await copyState(source, target);
    console.log(
      `${target.place} holds all ${rows} rows of ${source.place}, which is marked as moved: name the new one with --state, or put it in the place of the old one.`,
    );
    if (source.askedForLess > 0) {
      console.log(
        `What their job wanted of ${source.askedForLess} enrichments, which were asked for less, is not brought along: a run that asks for all of it pays for them anew. See what that costs with "sluice plan" before you run such a job.`,
      );
    }
  } finally {
    await target.close();
    await source.close();
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
