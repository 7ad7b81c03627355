import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openTableWriter } from '../../src/output/open-table-writer.js';
import { ClosedPipe, openStandardOutput } from '../../src/output/standard-output.js';
import { column, writerOptions } from './temporary-folder.js';

async function writeUntilItFails(stream: Writable): Promise<unknown> {
  const sink = openStandardOutput(stream);
  try {
    for (let n = 0; n < 10_000; n += 1) await sink.write('x'.repeat(10_000));
  } catch (problem) {
    return problem;
  }
  return undefined;
}

describe('openStandardOutput', () => {
  it('keeps what could steer a terminal from one, and from nothing else', async () => {
    const text = 'a,\u001b[31mb\u009b\u202e\u0007\r\n\té\n';
    for (const isTTY of [false, true]) {
      const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
      await openStandardOutput(stream).write(text);
      expect(stream.read()).toBe(isTTY ? 'a, [31mb   \r\n\té\n' : text);
    }
  });

  it('ends with ClosedPipe when the reader of a real pipe has had enough', async () => {
    const head = spawn('head', ['-c', '5'], { stdio: ['pipe', 'ignore', 'ignore'] });
    expect(await writeUntilItFails(head.stdin)).toBeInstanceOf(ClosedPipe);
  });

  it('ends with ClosedPipe at every further write, and from the header on', async () => {
    const stream = new PassThrough();
    stream.destroy();
    const sink = openStandardOutput(stream);
    await expect(sink.write('x')).rejects.toBeInstanceOf(ClosedPipe);
    await expect(sink.write('x')).rejects.toBeInstanceOf(ClosedPipe);
    const options = writerOptions({ standardOutput: stream });
    await expect(openTableWriter('-', [column('a')], options)).rejects.toBeInstanceOf(ClosedPipe);
  });

  it('ends with ClosedPipe when the stream is destroyed in the middle of a write', async () => {
    const stuck = new Writable({ write: () => undefined });
    const writing = openStandardOutput(stuck).write('x');
    stuck.destroy();
    await expect(writing).rejects.toBeInstanceOf(ClosedPipe);
  });

  it.runIf(existsSync('/dev/full'))('reports a full disk as an output error', async () => {
    expect(await writeUntilItFails(createWriteStream('/dev/full'))).toMatchObject({
      name: 'SluiceError',
      code: 'output',
      message: expect.stringContaining('no space is left'),
    });
  });

  it('waits for a slow reader before a write resolves', async () => {
    const released: (() => void)[] = [];
    const slow = new Writable({
      write: (_chunk, _encoding, done) => {
        released.push(done);
      },
    });
    let isWritten = false;
    const write = async () => {
      await openStandardOutput(slow).write('x');
      isWritten = true;
    };
    const writing = write();
    await new Promise(setImmediate);
    expect(isWritten).toBe(false);
    released[0]?.();
    await writing;
    expect(isWritten).toBe(true);
  });

  it('leaves no listener behind', async () => {
    const stream = new PassThrough();
    stream.resume();
    const before = stream.eventNames().map((name) => stream.listenerCount(name));
    const sink = openStandardOutput(stream);
    for (let n = 0; n < 20; n += 1) await sink.write('x');
    await sink.commit();
    expect(stream.eventNames().map((name) => stream.listenerCount(name))).toEqual(before);
    stream.end();
    await once(stream, 'end');
  });
});
