// How long a run waits, by what stopped it.
import { describe, expect, it } from 'vitest';
import { park } from '../../../src/app/queue/park.js';
import { SluiceError } from '../../../src/model/errors.js';

const AT = 1_000_000_000;
const AWAY = new SluiceError('platform', 'It does not answer.');

describe('a run that could not go on', () => {
  it('waits twice as long each time in a row, up to a limit', () => {
    const waits: number[] = [];
    let before = null;
    for (let i = 0; i < 8; i += 1) {
      before = park(AWAY, { at: AT, since: AT - 1_000, before });
      waits.push((before.until - AT) / 1_000);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
    expect(before).toMatchObject({ times: 8, why: 'It does not answer.' });
  });

  it('begins anew after it has worked for a while', () => {
    const before = { until: AT - 3_600_000, why: '', times: 7 };
    expect(park(AWAY, { at: AT, since: AT - 3_000_000, before })).toMatchObject({
      until: AT + 30_000,
      times: 1,
    });
  });

  it('is looked at again soon where it is paused, late where the user has to act, and once the period of a cap begins anew', () => {
    const first = { at: AT, since: AT, before: null };
    const paused = park(new SluiceError('paused', 'Paused.'), first);
    expect(paused.until - AT).toBe(30_000);
    expect(park(new SluiceError('budget', 'Used up.'), first).until - AT).toBe(900_000);
    const until = AT + 7 * 3_600_000;
    const capped = park(new SluiceError('cap', 'Met.', { until }), first);
    expect(capped.until).toBe(until);
    expect(
      park(new SluiceError('cap', 'Met.', { until }), { ...first, before: capped }).until,
    ).toBe(until);
    expect(park(new Error('secret'), first).why).not.toContain('secret');
  });
});
