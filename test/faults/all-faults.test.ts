// Every fault of the sandbox at five per cent, all at once, and the run is started again until it is done.
import { beforeAll, describe, it } from 'vitest';
import { FAULT_NAMES } from '../../src/sandbox/faults.js';
import type { Ended } from '../helpers/command-line.js';
import { freePort } from '../helpers/free-port.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir } from '../helpers/workdir.js';
import { ASK } from './cast.js';
import { ELSEWISE, endsWell, isOver, judgeLedger, judgeTable, OF_THE_BILL, told } from './judge.js';
import { createEntryReader, limited } from './lane.js';
import { MODES } from './modes.js';
import { IS_WHOLE, openSweep, PATIENCE_MS, sized, tick } from './sweep.js';

const LEADS = sized(50, 5_000);
const SHARE = 0.05;
const FAULTS = FAULT_NAMES.map((name) => `--fault ${name}=${SHARE}`).join(' ');
const SANDBOX = `--latency 50ms --slow 300ms --webhook-retry 200ms ${FAULTS}`;
const ENRICH = `enrich leads.csv --out out.csv ${ASK} --set rate=off --state state.db`;
/** Out of patience with a platform that fails so often, a run ends with 4 now and then. */
const RUNS_MAX = 60;
const RUN_MS_MAX = 60 * 60_000;
/** Few enough for a bulk call that many of them are made, and some of them struck. */
const DIALECT = `bulk: { max: ${sized(10, 50)} }\n`;
/** What drop-after, error-after, truncated and html together leave in doubt, with a margin. */
const UNCERTAIN_SHARE_MAX = sized(0.75, 0.35);

const LATE = new Set<unknown>(['timed_out', 'awaiting']);

const leads = csv(
  Array.from({ length: LEADS }, (_, i) =>
    // Every tenth line is a person who was there before, and every fiftieth says too little.
    i % 50 === 49
      ? `P${i},,`
      : `P${i % 10 === 9 ? i - 9 : i},Byron,p${i % 10 === 9 ? i - 9 : i}.com`,
  ),
);

let expected: string[][] = [];
beforeAll(async () => {
  const calm = openWorkdir((await startSandboxProcess()).url);
  calm.write('leads.csv', leads);
  const ended = await calm.sluice(`${ENRICH} --quiet`, IS_WHOLE ? { isService: true } : {});
  expected = calm.cells('out.csv');
  if (!isOver(ended)) throw new Error(told(ended));
}, PATIENCE_MS);

describe.concurrent(`all faults at ${SHARE * 100} %`, () => {
  it.each(MODES)(
    '$name',
    async (mode) => {
      const sweep = openSweep(`all faults at ${SHARE * 100} %`, mode.name);
      const sandbox = await startSandboxProcess(
        `${SANDBOX} --fault-seed ${MODES.indexOf(mode) + 1}`,
      );
      const dir = openWorkdir(sandbox.url);
      dir.write('leads.csv', leads).write('dialect.yaml', DIALECT);
      let flags = `--dialect dialect.yaml --submit ${mode.submit} --collect ${mode.collect}`;
      if (mode.collect === 'webhook') {
        const port = await freePort();
        const listener = dir.start(`listen --listen ${port} --state state.db`, { isService: true });
        await listener.says('Ctrl+C stops it');
        flags += ` --set listen=${port} --set claim-wait=5s --set deadline=10s`;
      }
      const run = async (line: string): Promise<Ended> => {
        const end = IS_WHOLE
          ? await limited(dir.start(line, { isService: true }), line, RUN_MS_MAX).ended
          : await dir.sluice(line);
        sweep.processes += 1;
        tick(sweep.exits, String(end.code));
        if (!endsWell(end, new Set([4]))) sweep.broken.push(`ended badly: ${told(end)}`);
        sweep.save();
        return end;
      };

      let end = await run(`${ENRICH} ${flags}`);
      while (!isOver(end) && sweep.processes < RUNS_MAX) end = await run(`${ENRICH} ${flags}`);
      if (!isOver(end)) sweep.broken.push(`not done after ${RUNS_MAX} runs: ${told(end)}`);
      if (mode.collect === 'webhook') {
        // What arrives after the last run counts as well: a repeated or a late delivery.
        let ledger = await sandbox.ledger();
        while (ledger.delivered + ledger.lost < ledger.accepted) ledger = await sandbox.ledger();
        await run(`replay leads.csv ${ENRICH.split(' leads.csv ')[1]} ${flags}`);
        await run('export 1 --state state.db --out out.csv');
      }

      // Given up at the deadline, or claimed after the end by a delivery that was empty yet: the next run asks
      // again, for nothing, and has a bill of its own.
      const isLate = (): boolean =>
        dir.rows('out.csv').some((row) => LATE.has(row['sluice_status']));
      const wasLate = isLate();
      while ((isLate() || !isOver(end)) && sweep.processes < RUNS_MAX) {
        end = await run(`${ENRICH} ${flags}`);
      }
      const problems: string[] = [];
      judgeTable(dir, 'out.csv', expected, wasLate ? OF_THE_BILL : ELSEWISE, problems);
      const accepted = await createEntryReader(sandbox)();
      const isDelivered = ({ deliveries }: { deliveries: number }): boolean =>
        mode.collect === 'webhook' && deliveries > 0;
      const verdict = judgeLedger(dir, 'out.csv', accepted, { mustClaim: isDelivered }, problems);
      const { doubled } = await sandbox.ledger();
      if (doubled.length > 0)
        problems.push(`the ledger has ${doubled.length} that were paid for twice`);
      if (verdict.uncertain > LEADS * UNCERTAIN_SHARE_MAX) {
        problems.push(`${verdict.uncertain} are uncertain`);
      }
      sweep.lives = 1;
      sweep.leads = LEADS;
      sweep.accepted = accepted.length;
      sweep.doubled = doubled.length;
      sweep.uncertain = verdict.uncertain;
      sweep.broken.push(...problems);
      sweep.conclude();
    },
    PATIENCE_MS,
  );
});
