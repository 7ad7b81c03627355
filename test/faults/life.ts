// One life: a run that is disturbed, and run again until it is done; then the judges.
import type { Ended } from '../helpers/command-line.js';
import { type Cast, LEADS, PEOPLE } from './cast.js';
import {
  ELSEWISE,
  endsWell,
  isOver,
  judgeLedger,
  judgeTable,
  OF_THE_BILL,
  runOf,
  told,
} from './judge.js';
import { CONCURRENCY, type Lane, type Scene } from './lane.js';
import { type Sweep, tick } from './sweep.js';

/** usage, input, platform, store, and busy where the lock's own file fails as a taken one does; all in one sentence. */
const MAY_FAIL_WITH: ReadonlySet<unknown> = new Set([2, 3, 4, 5, 75]);
const NOTHING: ReadonlySet<unknown> = new Set();

export interface Disturbed {
  readonly end: Ended;
  /** What it was, in one word, if it happened. */
  readonly struck: string | undefined;
  /** For the sentence that says what did not hold. */
  readonly where: string;
}

/** Disturbs a first process (and perhaps more), and judges what the undisturbed ones after it make of that. */
export async function live(
  lane: Lane,
  cast: Cast,
  sweep: Sweep,
  life: number,
  disturb: (scene: Scene) => Promise<readonly Disturbed[]>,
): Promise<void> {
  const scene = await lane.scene(life);
  const problems: string[] = [];
  let where = '';
  try {
    const disturbed = await disturb(scene);
    where = disturbed.map((one) => one.where).join('; ');
    const ends = disturbed.map(({ end }) => end);
    for (const { struck } of disturbed) if (struck !== undefined) tick(sweep.struck, struck);
    const isKilled = ends.some(({ signal }) => signal === 'SIGKILL');
    // Whatever it died over: there is no table, or a whole one.
    if (isKilled && scene.dir.has(scene.out)) {
      const lines = scene.dir.cells(scene.out).length;
      if (lines !== LEADS + 1) problems.push(`left a table of ${lines} lines behind`);
    }
    problems.push(...scene.check.miscounts());
    // Nothing disturbs the next one: it has to get to the end.
    if (!isOver(ends.at(-1))) ends.push(await scene.continue());
    for (const [i, end] of ends.entries()) {
      sweep.processes += 1;
      tick(sweep.exits, String(end.signal ?? end.code));
      const codes = i < disturbed.length ? MAY_FAIL_WITH : NOTHING;
      if (!endsWell(end, codes)) problems.push(`ended badly: ${told(end)}`);
    }
    if (!isOver(ends.at(-1))) throw new Error('not done, although nothing disturbed it');
    await judge(lane, cast, sweep, scene, ends, problems);
    problems.push(...scene.check.miscounts());
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  sweep.lives += 1;
  sweep.leads += LEADS;
  sweep.broken.push(...problems.map((problem) => `life ${life} (${where}): ${problem}`));
  sweep.save();
  if (problems.length === 0) await scene.clear();
}

async function judge(
  lane: Lane,
  cast: Cast,
  sweep: Sweep,
  scene: Scene,
  ends: readonly Ended[],
  problems: string[],
): Promise<void> {
  const { dir, life, out, state } = scene;
  const expected = await cast.expected(life);
  const first = ends.map(runOf).find((run) => run !== undefined);
  const last = runOf(ends.at(-1));
  if (first === last) {
    judgeTable(dir, out, expected, ELSEWISE, problems);
  } else {
    judgeTable(dir, out, expected, OF_THE_BILL, problems);
    // The first run had ended when it was struck: its own table can be made at any time.
    const again = `again${life}.csv`;
    const made = await scene.sluice(`export ${first} --state ${state} --out ${again}`);
    if (made.code === 0) judgeTable(dir, again, expected, ELSEWISE, problems);
    else problems.push(`export of run ${first} failed: ${told(made)}`);
  }
  const accepted = await lane.acceptedOf(life);
  const { collect, isAtOnce } = lane.mode;
  const rules = { mustClaim: () => collect === 'webhook', isAtOnce };
  const { doubled, uncertain } = judgeLedger(dir, out, accepted, rules, problems);
  sweep.accepted += accepted.length;
  sweep.doubled += doubled;
  sweep.uncertain += uncertain;
  // Those of each process that was disturbed; one of them may have come to the end all the same.
  const atOnce = lane.mode.submit === 'bulk' ? PEOPLE : CONCURRENCY;
  const uncertainMax = atOnce * Math.max(1, ends.length - 1);
  if (uncertain > uncertainMax) {
    problems.push(`${uncertain} are uncertain, and ${uncertainMax} could be under way`);
  }
}

/** Starts the run with a fault at the n-th point, of all or of one kind: `kill:7`, `fail:7:network`. */
export async function disturbAt(
  scene: Scene,
  disturb: string,
): Promise<Disturbed & { readonly points: number }> {
  const report = `report${scene.life}.json`;
  const preload = new URL('disturb.mjs', import.meta.url).href;
  const env = {
    NODE_OPTIONS: `--import ${preload}`,
    DISTURB: disturb,
    DISTURB_REPORT: scene.dir.at(report),
  };
  const end = await scene.start(env, true).ended;
  const { points, struck } = JSON.parse(scene.dir.text(report)) as {
    points: number;
    struck: string | null;
  };
  const kind = struck?.split(':')[0];
  return { end, points, struck: kind, where: `${disturb} ${struck ?? 'past the end'}` };
}
