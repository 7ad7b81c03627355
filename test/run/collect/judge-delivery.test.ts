import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { createDeadlineSchedule } from '../../../src/model/schedule/poll-schedule.js';
import { handlePending } from '../../../src/run/collect/collect-deliveries.js';
import { submit } from '../../../src/run/send/submit.js';
import { resultOf, type Script, ticketOf } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createRequestCallbacks,
  createTestCallbacks,
  createWorld,
  deliver,
  hookUrl,
  KEYRING,
  openLoaded,
  statusesOf,
  TERMS,
  urlFor,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
const OTHERS = { terms: { ...TERMS, account: 'other' }, plan: { job: 'theirs', account: 'other' } };

/** Everything is submitted, nothing asked for. */
async function submitted(world: World, who: readonly string[], changes: Changes = {}) {
  const process = await openLoaded(world, who, {
    callbacks: createRequestCallbacks(),
    schedule: createDeadlineSchedule(),
    concurrency: 1,
    ...changes,
  });
  await world.clock.drive(submit(process.context));
  return process.context;
}

async function sent(script: Script, who: readonly string[], changes: Changes = {}) {
  const world = createWorld(folder, script);
  const context = await submitted(world, who, changes);
  /** Delivers, and settles what was delivered. */
  const take = async (body: string, url: string) => {
    await deliver(world, body, url);
    await handlePending(context);
    return statusesOf(context);
  };
  const { platform } = world;
  return { world, context, platform, take };
}

const LOST: Script = { submit: () => 'lost' };
const LOST_CALL: Script = { call: () => 'lost' };

describe('a webhook', () => {
  it('settles the lead of another run of the account, and counts nothing as this one’s', async () => {
    const { context, world, platform, take } = await sent({}, ['ada']);
    const weekly = await submitted(world, ['bob'], { plan: { job: 'weekly' } });
    expect(await take(platform.deliveryOf('bob'), platform.callbackOf('bob'))).toEqual([
      'awaiting',
    ]);
    expect(await statusesOf(weekly)).toEqual(['found']);
    expect(context.backlog).toMatchObject({ awaiting: 1, delivered: 0 });
  });

  it.each([
    [
      'a miss beside values that the dialect does not read, stays: another dialect may read them',
      true,
    ],
    ['a plain miss, leaves', false],
  ])('that is %s', async (_, isOdd) => {
    const body = '{"phone":"+1"}';
    const problem = new SluiceError('platform', 'odd');
    const odd = { body, lack: 'unread', unread: ['phone'], problem } as const;
    const miss = { kind: 'done', result: {}, isMiss: true, ...(isOdd ? { odd } : {}) } as const;
    const callbacks = createTestCallbacks({
      urlFor,
      decode: () => [{ key: undefined, ticket: undefined, answer: miss }],
    });
    const { context, platform, take } = await sent({}, ['ada'], { callbacks });
    // It has read such a value before.
    context.readings.note(['find_email'], undefined);
    expect(await take(body, platform.callbackOf('ada'))).toEqual(['not_found']);
    const bytes = isOdd ? body.length : null;
    expect(await context.store.listDeliveries(9)).toMatchObject([{ settled: 1, bytes }]);
  });

  it('for many leads that comes to the address of one does not give all of it to that one', async () => {
    const { context, platform, take } = await sent(LOST, ['ada', 'bob']);
    const body = platform.deliveryOf(['bob', 'cyd']);
    expect(await take(body, platform.callbackOf('ada'))).toEqual(['uncertain', 'uncertain']);
    expect(await context.store.listDeliveries(9)).toMatchObject([{ settled: 0, unknown: 2 }]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['null', 'null'],
    ['no entries', '{"type":"enrichmentDone"}'],
    ['an empty list', '{"type":"enrichmentDone","data":[]}'],
    ['another event', '{"type":"emailsOpened","data":[{"id":"enr_1"}]}'],
    ['an entry without an id', '{"type":"enrichmentDone","data":[{"data":{}}]}'],
  ])('with %s in it is ticked off, and changes nothing', async (_, body) => {
    const { context, take } = await sent({}, ['ada']);
    expect(await take(body, hookUrl())).toEqual(['awaiting']);
    expect(await context.store.countPending()).toBe(0);
  });
});

describe('a body at the address of a bulk call', () => {
  const calls = (script: Script = {}) => sent(script, ['ada', 'bob', 'cyd', 'dan'], { bulkMax: 2 });

  it('settles the leads of that call, by their tickets', async () => {
    const { platform, take } = await calls();
    expect(platform.callbackOf('cyd')).not.toBe(platform.callbackOf('ada'));
    const data = ['cyd', 'dan'].map((who) => ({ id: ticketOf(who), data: resultOf(who) }));
    const body = JSON.stringify({ type: 'enrichmentDone', data });
    expect(await take(body, platform.callbackOf('cyd'))).toEqual([
      'awaiting',
      'awaiting',
      'found',
      'found',
    ]);
  });
});

describe('a lead whose fate is not known', () => {
  it.each([
    ['the address of its call', false],
    ['the registered hook', true],
  ])('is claimed by the key that comes back as metadata, at %s', async (_, isHook) => {
    const changes = {
      bulkMax: 10,
      callbacks: isHook ? createTestCallbacks() : createRequestCallbacks(),
    };
    const { platform, take } = await sent(LOST_CALL, ['ada', 'bob', 'cyd'], changes);
    const url = isHook ? hookUrl() : platform.callbackOf('ada');
    expect(await take(platform.deliveryOf('bob'), url)).toEqual([
      'uncertain',
      'found',
      'uncertain',
    ]);
    expect(await take(platform.deliveryOf(['ada', 'cyd']), url)).toEqual([
      'found',
      'found',
      'found',
    ]);
  });

  it('is claimed by an error as well: it was accepted, and costs nothing', async () => {
    const { platform, take } = await sent(LOST, ['ada']);
    expect(await take(platform.deliveryOf('ada', 'failed'), platform.callbackOf('ada'))).toEqual([
      'failed',
    ]);
  });

  it('claimed by an empty success without an id, is not_found: it could not be asked for again', async () => {
    const { platform, take } = await sent(LOST, ['ada']);
    const body = '{"type":"enrichmentDone","data":[{"data":{}}]}';
    expect(await take(body, platform.callbackOf('ada'))).toEqual(['not_found']);
  });

  it('without a key that comes back stays so: an unknown ticket names no lead', async () => {
    const { context, platform, take } = await sent(LOST, ['ada']);
    expect(await take(platform.deliveryOf('ada'), hookUrl())).toEqual(['uncertain']);
    expect(await context.store.listDeliveries(9)).toMatchObject([{ unknown: 1, settled: 0 }]);
  });
});

describe('a body that tells another lead’s ticket than its key names', () => {
  it('leaves the lead of the key uncertain, also where the other has its answer already', async () => {
    const submit: Script['submit'] = (who) => (who === 'ada' ? 'lost' : 'accepted');
    const { context, platform, take } = await sent({ submit }, ['ada', 'bob']);
    await take(platform.deliveryOf('bob'), platform.callbackOf('bob'));
    for (const fate of ['filled', 'empty', 'failed'] as const) {
      const body = platform.deliveryOf('bob', fate);
      expect(await take(body, platform.callbackOf('ada'))).toEqual(['uncertain', 'found']);
    }
    expect(await context.store.countPending()).toBe(0);
    // And the right one still claims it.
    expect(await take(platform.deliveryOf('ada'), platform.callbackOf('ada'))).toEqual([
      'found',
      'found',
    ]);
    expect(await context.store.answers(1, { after: 0, limit: 1 })).toMatchObject([
      { result: resultOf('ada') },
    ]);
  });

  it('at the address of one lead settles no other by a key of that one', async () => {
    const { take, platform } = await sent({}, ['ada', 'bob']);
    const metadata = KEYRING.seal({
      kind: 'enrichment',
      scope: KEYRING.scopeOf(TERMS.account),
      id: 2,
    });
    const data = [{ id: ticketOf('bob'), data: resultOf('bob'), metadata }];
    const body = JSON.stringify({ type: 'enrichmentDone', data });
    expect(await take(body, platform.callbackOf('ada'))).toEqual(['awaiting', 'awaiting']);
  });

  it.each([
    ['of another lead', 'bob'],
    ['of no lead', 'eve'],
  ])('twice, %s, is handled where the lead of its address is gone', async (_, who) => {
    const { context, platform, take } = await sent({}, ['ada', 'bob']);
    const ticket = who === 'bob' ? ticketOf('bob') : 'enr_eve';
    const data = [ticket, ticket].map((id) => ({ id, data: resultOf('eve') }));
    const body = JSON.stringify({ type: 'enrichmentDone', data });
    // As after a prune: no lead has this number.
    const url = urlFor({ kind: 'enrichment', scope: KEYRING.scopeOf(TERMS.account), id: 99 });
    expect(await take(body, url)).toEqual(['awaiting', 'awaiting']);
    expect(await context.store.countPending()).toBe(0);
    expect(await take(platform.deliveryOf('bob'), platform.callbackOf('bob'))).toEqual([
      'awaiting',
      'found',
    ]);
  });

  it('is taken where it may be that of an earlier send, unless it only says that it failed', async () => {
    const world = createWorld(folder, {
      submit: (_, attempt) => (attempt === 1 ? 'lost' : 'accepted'),
    });
    const context = await submitted(world, ['ada']);
    await context.store.retry(1, ['uncertain'], { at: 0, deadlineAt: 0 });
    context.backlog.recounted({ queued: 1, awaiting: 0 });
    await world.clock.drive(submit(context));
    const say = async (body: string) => {
      await deliver(world, body, world.platform.callbackOf('ada'));
      await handlePending(context);
      return statusesOf(context);
    };
    // What the first send came to has another ticket.
    const earlier = { id: 'enr_first', data: resultOf('ada') };
    const done = JSON.stringify({ type: 'enrichmentDone', data: [earlier] });
    const failed = JSON.stringify({
      type: 'enrichmentError',
      data: [{ id: 'enr_first', error: 'broken' }],
    });
    expect(await say(failed)).toEqual(['awaiting']);
    expect(await say(done)).toEqual(['found']);
    expect(await context.store.tally(1)).toMatchObject({ credits: 5 });
  });
});

describe('a key that is not ours', () => {
  const scope = KEYRING.scopeOf(TERMS.account);
  const genuine = KEYRING.seal({ kind: 'enrichment', scope, id: 1 });

  it.each([
    ['made up', 'e1'],
    ['with another enrichment in it', genuine.replace(/^e1/, 'e2')],
    ['with one letter changed', genuine.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))],
    ['of a bulk call', KEYRING.seal({ kind: 'batch', scope, id: 1 })],
    ['of a hook', KEYRING.seal({ kind: 'hook', scope, id: 1 })],
    ['of another account', KEYRING.seal({ kind: 'enrichment', scope: '0123456789ab', id: 1 })],
  ])('(%s) claims nothing', async (_, metadata) => {
    const { take } = await sent(LOST, ['ada', 'bob']);
    const data = [{ id: 'enr_forged', data: resultOf('eve'), metadata }];
    const body = JSON.stringify({ type: 'enrichmentDone', data });
    expect(await take(body, hookUrl())).toEqual(['uncertain', 'uncertain']);
  });

  it('and the genuine one beside it does', async () => {
    const { take } = await sent(LOST, ['ada', 'bob']);
    const data = [{ id: 'enr_1', data: resultOf('ada'), metadata: genuine }];
    const body = JSON.stringify({ type: 'enrichmentDone', data });
    expect(await take(body, hookUrl())).toEqual(['found', 'uncertain']);
  });

  it('a key that names a lead of another account claims nothing either', async () => {
    const { world, platform, take } = await sent(LOST, ['ada']);
    const theirs = await submitted(world, ['bob'], OTHERS);
    expect(
      await take(platform.deliveryOf('bob'), urlFor({ kind: 'enrichment', scope, id: 2 })),
    ).toEqual(['uncertain']);
    expect(await statusesOf(theirs)).toEqual(['uncertain']);
  });
});

describe('the same thing said twice', () => {
  it('one body that names a lead twice settles it once', async () => {
    const { context, platform, take } = await sent({}, ['ada']);
    expect(await take(platform.deliveryOf(['ada', 'ada']), hookUrl())).toEqual(['found']);
    expect(context.backlog).toMatchObject({ delivered: 1, awaiting: 0 });
  });

  it('an empty success counts where the dialect reads nothing by ticket, and is told of', async () => {
    const { context, world, platform } = await sent({}, ['ada']);
    await deliver(world, platform.deliveryOf('ada', 'empty'), platform.callbackOf('ada'));
    await handlePending({ ...context, platform: { ...platform, readsTickets: false } });
    expect(await statusesOf(context)).toEqual(['not_found']);
    expect(context.readings.onlyLooks).toBe(1);
  });
});
