// A disk that is full: a small file system of its own, on which a filler leaves so and so many KiB. With
// more of them it fills up later: when the state file is made, while leads are read, while they are sent or
// answered, and when the table is written. Then the filler goes, and the run is started again.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { LedgerEntry } from '../../src/sandbox/ledger/ledger.js';
import { type Ended, MAIN } from '../helpers/command-line.js';
import { freePort } from '../helpers/free-port.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, type Workdir } from '../helpers/workdir.js';
import { ASK, LEADS, lifeOf, linesOf, openCast, PEOPLE } from './cast.js';
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
import { CONCURRENCY, createEntryReader } from './lane.js';
import { MODES, type Mode } from './modes.js';
import { IS_WHOLE, openSweep, PATIENCE_MS, tick } from './sweep.js';

/** Lives whose people stand in one input. */
const LIVES = 8;
/** KiB that a run sets aside (src/store/sqlite/reserve.ts): with less than that left, it sends nothing. */
const RESERVE_KIB = 1_024;
/** KiB that are left beside that; the whole version goes on until the disk is large enough. */
const SHORT = { single: [0, 344], bulk: [120, 296, 500] } as const;
const STEP_KIB = 24;
const LANES = 2;
const RUNS_MAX = 5;

const MOUNT = 'mount -t tmpfs -o size=16m,mode=777 sluice "$1"';
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', MOUNT, 'sh', '/mnt']).status === 0;

/**
 * On the small disk: the filler, a first run, no filler, and runs until one of them is done. What is to be
 * looked at is put on the large one, in the folder where it starts.
 */
const SCRIPT = `
set -u
outside=$PWD; disk=$1; left=$2; shift 2
mount -t tmpfs -o size=16m,mode=777 sluice "$disk" && cp leads.csv "$disk" && cd "$disk" || exit 99
head -c $(( ($(df --output=avail -k . | tail -1) - left) * 1024 )) /dev/zero > filler
run=1
while :; do
  "$@" > "$outside/$run.out" 2> "$outside/$run.err"
  code=$?; echo $code > "$outside/$run.code"
  ls "$disk" -a > "$outside/$run.files"
  rm -f filler
  if [ $code -le 1 ] || [ $run -ge ${RUNS_MAX} ]; then break; fi
  run=$((run + 1))
done
cp out.csv "$outside/out.csv"
"$1" "$2" export 1 --state state.db --out first.csv > /dev/null 2>&1 && cp first.csv "$outside/first.csv"
`;

const cast = openCast();

/** A webhook that met a full disk comes again a good while later: too long for the short version. */
function isTried({ collect }: Mode): boolean {
  return IS_WHOLE || collect === 'poll';
}

describe.skipIf(!canMount).concurrent('a full disk (needs unshare and tmpfs)', () => {
  it.each(MODES.filter(isTried))(
    '$name',
    async (mode) => {
      const sweep = openSweep('full disk', mode.name);
      const sandbox = await startSandboxProcess('--latency 20ms --webhook-retry 1s');
      const readNew = createEntryReader(sandbox);
      const accepted: LedgerEntry[] = [];
      // A full disk keeps a delivery waiting for its next attempt: fewer of these lives go round in an hour.
      const step = STEP_KIB * (mode.collect === 'poll' ? 1 : 4);
      let next = 0;
      let isThrough = false;
      const lane = async (): Promise<void> => {
        while (!isThrough && (IS_WHOLE || next < SHORT[mode.submit].length)) {
          const n = next;
          next += 1;
          const left = RESERVE_KIB + (IS_WHOLE ? n * step : (SHORT[mode.submit][n] ?? 0));
          const first = n * LIVES;
          const lives = Array.from({ length: LIVES }, (_, i) => first + i);
          const dir = openWorkdir(sandbox.url);
          dir.write('leads.csv', csv(lives.flatMap(linesOf)));
          const ends = await liveOn(dir, sandbox.url, mode, left);
          const problems: string[] = [];
          accepted.push(...(await readNew()));
          const own = accepted.filter(({ inputs }) => lives.includes(lifeOf(inputs.firstName)));
          const [begun] = ends;
          if (begun === undefined || isOver(begun)) isThrough = true;
          else tick(sweep.struck, stageOf(begun, sentBefore(own, dir)));
          for (const end of ends) {
            sweep.processes += 1;
            tick(sweep.exits, String(end.code));
            if (!endsWell(end, new Set([5]))) problems.push(`ended badly: ${told(end)}`);
          }
          if (begun?.code === 5 && !/\bdisk\b/.test(begun.stderr)) {
            problems.push(`does not speak of the disk: ${told(begun)}`);
          }
          if (ends.length > 2 || !isOver(ends.at(-1))) {
            problems.push(`did not go on when there was room: ${told(ends.at(-1))}`);
          } else {
            const tables = await Promise.all(
              lives.map((life) => cast.then((one) => one.expected(life))),
            );
            const [[header = []] = []] = tables;
            const expected = [header, ...tables.flatMap(([, ...rows]) => rows)];
            judgeTable(dir, 'first.csv', expected, ELSEWISE, problems);
            // Where only its table had no room, the first run had ended: the next one has a bill of its own.
            const isSame = ends.every((end) => [undefined, '1'].includes(runOf(end)));
            judgeTable(dir, 'out.csv', expected, isSame ? ELSEWISE : OF_THE_BILL, problems);
            const isClaimed = (): boolean => mode.collect === 'webhook';
            const verdict = judgeLedger(dir, 'out.csv', own, { mustClaim: isClaimed }, problems);
            // The room that was set aside holds every ticket that was on its way.
            if (verdict.uncertain > 0) problems.push(`${verdict.uncertain} are uncertain`);
            sweep.uncertain += verdict.uncertain;
            sweep.doubled += verdict.doubled;
          }
          sweep.lives += 1;
          sweep.leads += LEADS * LIVES;
          sweep.accepted += own.length;
          sweep.broken.push(...problems.map((problem) => `${left} KiB left: ${problem}`));
          sweep.save();
          if (problems.length === 0) rmSync(dir.path, { recursive: true, force: true });
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      sweep.conclude();
    },
    PATIENCE_MS,
  );
});

/** By what the process said, and how many were accepted by then. */
function stageOf(end: Ended, sent: number): string {
  if (end.stderr.includes('Writing ')) return 'export';
  if (end.stderr.includes('cannot be opened')) return 'opening';
  if (sent === 0) return 'reading';
  return sent < PEOPLE * LIVES ? 'sending' : 'settling';
}

/** How many were accepted before the first run had ended. */
function sentBefore(accepted: readonly LedgerEntry[], dir: Workdir): number {
  const endedAt = statSync(dir.at('1.code')).mtimeMs;
  return accepted.filter(({ acceptedAt }) => acceptedAt < endedAt).length;
}

/** Runs the script; one end for each process. */
async function liveOn(dir: Workdir, url: string, mode: Mode, left: number): Promise<Ended[]> {
  const disk = dir.at('disk');
  mkdirSync(disk);
  const webhook = `--collect webhook --set listen=${await freePort()} --set claim-wait=150s --set deadline=15s`;
  const flags = `--set rate=off --state state.db --set concurrency=${CONCURRENCY} --submit ${mode.submit} ${mode.collect === 'poll' ? '--collect poll' : webhook}`;
  const command = `${process.execPath} ${MAIN} enrich leads.csv --out out.csv ${ASK} ${flags}`;
  const args = ['-rm', 'sh', '-c', SCRIPT, 'sh', disk, String(left), ...command.split(' ')];
  const credentials = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox', SLUICE_URL: url };
  const child = spawn('unshare', args, {
    cwd: dir.path,
    env: { PATH: process.env['PATH'], ...credentials },
    stdio: 'ignore',
  });
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const ends: Ended[] = [];
  for (let run = 1; dir.has(`${run}.code`); run += 1) {
    ends.push({
      code: Number(dir.text(`${run}.code`)),
      signal: null,
      stdout: dir.text(`${run}.out`),
      stderr: dir.text(`${run}.err`),
    });
  }
  return ends;
}
