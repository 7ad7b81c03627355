import { describe, expect, it } from 'vitest';
import { type LeadsInMemory, leadsAsLines } from '../../src/input/leads-as-lines.js';

async function linesOf(leads: LeadsInMemory): Promise<string[]> {
  const chunks: string[] = [];
  for await (const bytes of leadsAsLines(leads)) chunks.push(Buffer.from(bytes).toString());
  return chunks;
}

describe('leads in memory', () => {
  it('are a line each, from an array, a generator and an async one', async () => {
    const leads = [{ a: 1, b: undefined }, { a: 'é\n' }];
    const text = '{"a":1}\n{"a":"é\\n"}\n';
    async function* later() {
      yield* leads;
    }
    expect(await linesOf(leads)).toEqual([text]);
    expect(await linesOf(leads.values())).toEqual([text]);
    expect(await linesOf(later())).toEqual([text]);
  });

  it('go on at once where the next one is not there yet, and 500 at a time where they are', async () => {
    const slow: ((result: IteratorResult<object>) => void)[] = [];
    let asked = 0;
    const leads: AsyncIterable<object> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          asked += 1;
          if (asked <= 501) return Promise.resolve({ done: false, value: { n: asked } });
          return new Promise((resolve) => slow.push(resolve));
        },
      }),
    };
    const lines = leadsAsLines(leads);
    const first = await lines.next();
    expect(
      Buffer.from(first.value ?? [])
        .toString()
        .split('\n'),
    ).toHaveLength(501);
    // No lead is taken while no line is taken.
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(500);
    expect(Buffer.from((await lines.next()).value ?? []).toString()).toBe('{"n":501}\n');
    expect(asked).toBe(502);
    const last = lines.next();
    slow[0]?.({ done: true, value: undefined });
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it('are no JSON where they cannot be, which makes a reject', async () => {
    const circular: { self?: object } = {};
    circular.self = circular;
    const odd = [circular, { n: 1n }, undefined, () => 1] as unknown as object[];
    for (const line of (await linesOf(odd)).join('').trimEnd().split('\n')) {
      expect(() => JSON.parse(line) as unknown).toThrow(SyntaxError);
    }
  });

  it('hand on what came before a failure, then the failure, and close what they were taken from', async () => {
    let isClosed = false;
    function* failing() {
      try {
        yield { n: 1 };
        throw new RangeError('the source broke');
      } finally {
        isClosed = true;
      }
    }
    const lines = leadsAsLines(failing());
    expect(Buffer.from((await lines.next()).value ?? []).toString()).toBe('{"n":1}\n');
    await expect(lines.next()).rejects.toThrow(new RangeError('the source broke'));
    expect(isClosed).toBe(true);
    const left = leadsAsLines([{ n: 1 }, { n: 2 }].values());
    await left.next();
    await left.return();
  });

  it('are an input error where there is none', async () => {
    await expect(linesOf([])).rejects.toMatchObject({ code: 'input' });
  });
});
