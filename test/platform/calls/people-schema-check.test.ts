import { describe, expect, it } from 'vitest';
import {
  answer,
  openAt,
  openTestPlatform,
  problemOf,
  type Respond,
  silence,
} from '../test-server.js';

const FINE = answer(200, { schema: {}, version: {}, properties: ['lead_id'] });

describe('the check', () => {
  it('asks for the people schema and is content with it', async () => {
    const { platform, server } = await openAt([FINE]);
    await platform.check();
    expect(server.asked).toEqual(['GET /schema/people']);
  });

  const elsewhere = { location: 'https://other.example/x?y' };
  it.each<[string, Respond, RegExp]>([
    ['401', answer(401, { error: 'who?' }), /credentials \(401: who\?\).*SLUICE_USERNAME/],
    ['403', answer(403, ''), /credentials/],
    ['HTML', answer(200, '<!doctype html>'), /without a people schema: "<!doctype/],
    ['other JSON', answer(200, { ok: true }), /without a people schema/],
    ['a redirect', answer(307, '', elsewhere), /other\.example\/x \(307\)/],
  ])('says at once what %s means', async (_, respond, message) => {
    const { platform, server } = await openAt([respond]);
    const problem = await problemOf(() => platform.check());
    expect(problem).toMatchObject({ code: 'platform' });
    expect(problem.message).toMatch(message);
    expect(server.asked).toHaveLength(1);
  });

  it.each([404, 405, 410])(
    'shows nothing where the platform answers %d: it may lack the call',
    async (status) => {
      const { platform, server } = await openAt([answer(status, '')]);
      expect(await platform.check()).toBe(false);
      expect(server.asked).toHaveLength(1);
    },
  );

  it.each<[string, Respond]>([
    ['a 5xx', answer(502, '')],
    ['a dropped connection', (request) => request.socket.destroy()],
    ['silence', silence],
  ])('repeats %s three times with growing pauses', async (_, respond) => {
    const { platform, server, clock } = await openAt([respond]);
    expect((await problemOf(() => platform.check())).code).toBe('platform');
    expect(server.asked).toHaveLength(4);
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000]);
    const recovering = await openAt([respond, respond, FINE]);
    await recovering.platform.check();
    expect(recovering.server.asked).toHaveLength(3);
  });

  it('does not repeat what cannot get better by itself', async () => {
    const { platform, server, clock } = await openAt([FINE]);
    await server.close();
    const problem = await problemOf(() => platform.check());
    expect(problem.message).toMatch(/could not be reached: the connection was refused/);
    expect(clock.sleeps).toEqual([]);
    const nowhere = openTestPlatform('http://nosuchhost.invalid');
    expect((await problemOf(() => nowhere.check())).message).toMatch(/host name/);
    const secure = openTestPlatform((await openAt([FINE])).server.url.replace('http:', 'https:'));
    expect((await problemOf(() => secure.check())).message).toMatch(
      /no secure connection|broke off/,
    );
  });
});
