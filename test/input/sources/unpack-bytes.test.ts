import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpackBytes } from '../../../src/input/sources/unpack-bytes.js';
import { readPipe } from '../read-all.js';

const MIB = 1024 * 1024;

describe('gzip that grows a thousandfold', () => {
  it('is unpacked a slice at a time, and no further than it is read', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * MIB, 0x61));
    let taken = 0;
    const source = async function* () {
      for (let at = 0; at < bomb.length; at += 1024) {
        taken += 1;
        yield bomb.subarray(at, at + 1024);
      }
    };
    const unpacked = unpackBytes('bomb.gz', source());
    const sizes: number[] = [];
    for (let bytes = 0; bytes < 4 * MIB; bytes += sizes.at(-1) ?? 0) {
      const next = await unpacked.next();
      sizes.push(next.done === true ? 0 : next.value.length);
    }
    await unpacked.return(undefined);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
    // 4 MiB unpacked are some 4 KiB packed; the rest was never asked for.
    expect(taken).toBeLessThan(10);
    expect(bomb.length / 1024).toBeGreaterThan(30);
  });

  it('is one reject where it is one line without an end', async () => {
    const text = Buffer.concat([Buffer.from('a,b\n1,2\n'), Buffer.alloc(17 * MIB, 0x61)]);
    const { records, rejects } = await readPipe(gzipSync(text));
    expect(records.map(({ cells }) => cells)).toEqual([['1', '2']]);
    expect(rejects.map(({ line, reason }) => [line, reason.split(':')[0]])).toEqual([
      [3, 'record_too_long'],
    ]);
    expect(rejects[0]?.raw.length).toBeLessThanOrEqual(2_000);
  });
});
