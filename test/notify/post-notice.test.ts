import { describe, expect, it } from 'vitest';
import { postNotice } from '../../src/notify/post-notice.js';
import { startServer } from '../helpers/counting-server.js';

/** Answers with these statuses in turn, the last one for ever; tells what it was sent, and what was waited for. */
async function post(statuses: number[], path = '/hooks/T0P-SECRET') {
  const bodies: string[] = [];
  const pauses: number[] = [];
  const types = new Set<string | undefined>();
  const server = await startServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const status = statuses[Math.min(bodies.length, statuses.length - 1)] ?? 200;
      bodies.push(body);
      types.add(request.headers['content-type']);
      expect(request.headers.authorization).toBeUndefined();
      response.writeHead(status, { location: '/elsewhere' }).end('no_text');
    });
  });
  const clock = {
    sleep: async (ms: number) => {
      pauses.push(ms);
    },
  };
  const trouble = await postNotice(`${server.url}${path}`, '{"run":1}', clock);
  return { trouble, bodies, pauses, asked: server.asked, types: [...types] };
}

describe('a notice that is posted', () => {
  it.each([[[500, 429, 200]], [[503, 200]]])(
    '%j is tried again after a pause',
    async (statuses) => {
      const { bodies, pauses, trouble } = await post(statuses);
      expect(trouble).toBeUndefined();
      expect(bodies).toHaveLength(statuses.length);
      expect(pauses).toEqual([1_000, 4_000].slice(0, statuses.length - 1));
    },
  );

  it('is given up after three attempts', async () => {
    expect(await post([502])).toMatchObject({
      trouble: 'it answered 502, after 3 attempts',
      pauses: [1_000, 4_000],
    });
  });

  it.each([
    [404, 'it answered 404'],
    [302, 'it answered 302, and redirects are not followed'],
  ])('is not repeated, and goes nowhere else, where the answer is %i', async (status, trouble) => {
    expect(await post([status])).toMatchObject({ trouble, asked: ['POST /hooks/T0P-SECRET'] });
  });

  it('that reaches no server says so without the address', async () => {
    const server = await startServer(() => undefined);
    await server.close();
    const clock = { sleep: async () => undefined };
    const trouble = await postNotice(`${server.url}/T0P-SECRET`, '{}', clock);
    expect(trouble).toBe('it could not be reached (ECONNREFUSED), after 3 attempts');
  });
});
