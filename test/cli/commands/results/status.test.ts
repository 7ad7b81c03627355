import { describe, expect, it } from 'vitest';
import { type StatusLook, watchStatus } from '../../../../src/cli/commands/results/status.js';
import { createDrivenClock } from '../../../helpers/driven-clock.js';

const look = (line: string, state: StatusLook['state'] = 'working'): StatusLook => ({
  state,
  line,
  lines: [`${line}, first`, 'second'],
});

async function watch(
  looks: readonly StatusLook[],
  terminal: { isTTY?: boolean; columns?: number },
) {
  const clock = createDrivenClock();
  const written: { atMs: number; text: string }[] = [];
  const startMs = clock.now();
  const screen = {
    ...terminal,
    write: (text: string) => written.push({ atMs: clock.now() - startMs, text }),
  };
  const stop = new AbortController();
  let count = 0;
  const next = async (): Promise<StatusLook> => {
    const one = looks[Math.min(count, looks.length - 1)] as StatusLook;
    count += 1;
    if (count > 100) stop.abort();
    return one;
  };
  const options = { screen, isJson: false, clock, signal: stop.signal };
  await clock.drive(watchStatus(next, options));
  return { written, looks: count };
}

describe('watching a run', () => {
  it('draws over the last look on a terminal, never wider than it, until the run ends', async () => {
    const { written } = await watch([look('a'), look('b', 'finished')], {
      isTTY: true,
      columns: 6,
    });
    expect(written).toEqual([
      { atMs: 0, text: '\r\u001B[2Ka, fi\n\u001B[2Ksecon\n\u001B[J' },
      { atMs: 1000, text: '\u001B[2A\r\u001B[2Kb, fi\n\u001B[2Ksecon\n\u001B[J' },
    ]);
  });

  it('draws whole lines on a terminal that does not know its width', async () => {
    const { written } = await watch([look('a', 'finished')], { isTTY: true, columns: 0 });
    expect(written[0]?.text).toContain('a, first\n');
  });

  it('writes a line elsewhere when something has changed, every 10 s at most, and whole that no process goes on with it', async () => {
    const twelve = Array.from({ length: 12 }, (_, i) => look(`look ${i}`));
    const { written } = await watch([...twelve, look('end', 'cut_off')], {});
    expect(written).toEqual([
      { atMs: 0, text: 'look 0\n' },
      { atMs: 10_000, text: 'look 10\n' },
      { atMs: 12_000, text: 'end, first\nsecond\n' },
    ]);
  });

  it('says nothing twice, and stops when it is told to', async () => {
    const { written, looks } = await watch([look('same')], {});
    expect(written).toEqual([{ atMs: 0, text: 'same\n' }]);
    expect(looks).toBe(101);
  });
});
