import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EVENT_CATALOGUE } from '../../../src/model/events/event-catalogue.js';
import { startReceiver } from '../start-receiver.js';
import { startSandbox, type TestSandbox } from '../start-sandbox.js';

const RECORD = z.record(z.string(), z.unknown());
const EMITTED = z.strictObject({ record: RECORD, hooks: z.number(), state: z.string().nullable() });

async function emit(sandbox: TestSandbox, type: string, fields?: object) {
  const answer = await fetch(`${sandbox.url}/sandbox/emit`, {
    method: 'POST',
    body: JSON.stringify({ type, fields }),
  });
  expect(answer.status).toBe(200);
  return EMITTED.parse(await answer.json());
}

async function register(sandbox: TestSandbox, body: object, query = ''): Promise<void> {
  expect((await sandbox.send('POST', `/hooks${query}`, body)).status).toBe(200);
}

describe('an emitted event', () => {
  it('has realistic fields, whichever of the catalogue it is', async () => {
    const [sandbox, receiver] = [await startSandbox(), await startReceiver()];
    await register(sandbox, { targetUrl: receiver.url });
    const records: unknown[] = [];
    const changes: string[] = [];
    for (const { type, group, hasCampaign, hasLead } of EVENT_CATALOGUE) {
      const { record, hooks, state } = await emit(sandbox, type);
      if (state !== null) changes.push(state);
      expect(hooks).toBe(1);
      expect(record['type']).toBe(type);
      if (group === 'enrichment') expect(Object.keys(record).toSorted()).toEqual(['data', 'type']);
      else {
        expect(record).toMatchObject({
          _id: expect.stringMatching(/^act_[0-9a-f]{24}$/),
          teamId: 'tea_harbour',
          createdAt: new Date(sandbox.clock.now).toISOString(),
          sendUserEmail: expect.stringContaining('@'),
        });
        expect('campaignId' in record && 'campaignName' in record, type).toBe(hasCampaign);
        expect('sequenceStep' in record, type).toBe(hasCampaign && hasLead);
        for (const name of ['leadId', 'leadEmail', 'leadFirstName', 'leadLastName']) {
          expect(name in record, `${type} ${name}`).toBe(hasLead);
        }
        expect('subject' in record, type).toBe(group === 'email');
      }
      records.push(record);
    }
    const posts = await receiver.received(EVENT_CATALOGUE.length + changes.length);
    const texts = posts.map(({ text }) => text);
    const emitted = records.map((record) => JSON.stringify(record));
    expect(texts.filter((text) => emitted.includes(text)).toSorted()).toEqual(emitted.toSorted());
    const others = texts.filter((text) => !emitted.includes(text));
    expect(others.map((text) => RECORD.parse(JSON.parse(text))['type'])).toEqual(changes);
    // Nothing of it was asked for, so nothing of it costs.
    expect(sandbox.ledger.summary()).toMatchObject({ accepted: 0, charged: 0, requests: 1 });
  });

  it('changes the state of its lead, which is an event of its own', async () => {
    const [sandbox, receiver] = [await startSandbox(), await startReceiver()];
    await register(sandbox, { targetUrl: receiver.url, type: 'contacted' });
    await register(sandbox, { targetUrl: receiver.url, type: 'warmed' });
    const ada = { leadId: 'lea_1', leadEmail: 'ada@engines.example' };
    const { record, state } = await emit(sandbox, 'emailsSent', ada);
    expect(state).toBe('contacted');
    const states = [];
    for (const type of ['socialSent', 'emailsReplied', 'smsReplied', 'annotated', 'warmed']) {
      states.push((await emit(sandbox, type, ada)).state);
    }
    expect(states).toEqual([null, 'warmed', null, null, null]);
    expect((await emit(sandbox, 'emailsReplied', { isThirdPartyReply: true })).state).toBeNull();
    const [first, second] = (await receiver.received(3)).map(({ text }) =>
      RECORD.parse(JSON.parse(text)),
    );
    const { _id: own, type: _type, subject: _subject, to: _to, bcc: _bcc, ...common } = record;
    expect(first).toMatchObject({ ...common, type: 'contacted' });
    expect(first?.['_id']).not.toBe(own);
    expect(first).not.toHaveProperty('to');
    expect(second).toMatchObject({ type: 'warmed', leadId: 'lea_1' });
  });

  it('reaches a hook of one campaign only from this campaign', async () => {
    const [sandbox, receiver] = [await startSandbox(), await startReceiver()];
    await register(sandbox, { targetUrl: receiver.url }, '?campaignId=cam_autumn');
    const counts = [
      await emit(sandbox, 'emailsSent'),
      await emit(sandbox, 'emailsSent', { campaignId: 'cam_autumn' }),
      await emit(sandbox, 'campaignComplete', { campaignId: 'cam_autumn' }),
      await emit(sandbox, 'connectionIssue'),
      await emit(sandbox, 'enrichmentDone'),
      await emit(sandbox, 'emailsReplied', { isThirdPartyReply: true }),
    ].map(({ hooks }) => hooks);
    expect(counts).toEqual([0, 1, 1, 0, 0, 0]);
    await sandbox.until(({ delivered }) => delivered === 2);
    expect(receiver.posts.map(({ body }) => body.type)).toEqual(['emailsSent', 'campaignComplete']);
  });

  it('reaches a hook of first activities once for each type and lead', async () => {
    const [sandbox, receiver] = [await startSandbox(), await startReceiver()];
    // Counted before a hook wants it.
    await emit(sandbox, 'emailsOpened');
    await register(sandbox, { targetUrl: receiver.url }, '?isFirst=true');
    const again = { leadId: 'lea_7', campaignId: 'cam_autumn' };
    const counts = [
      await emit(sandbox, 'emailsOpened'),
      await emit(sandbox, 'emailsClicked'),
      await emit(sandbox, 'emailsOpened', { leadId: 'lea_7' }),
      await emit(sandbox, 'emailsOpened', again),
      await emit(sandbox, 'connectionIssue'),
      await emit(sandbox, 'connectionIssue'),
      await emit(sandbox, 'enrichmentDone'),
      await emit(sandbox, 'enrichmentDone'),
    ].map(({ hooks }) => hooks);
    expect(counts).toEqual([0, 1, 1, 0, 1, 1, 1, 1]);
    // Six of them, and two changes of state: attracted, and hooked of another lead.
    await sandbox.until(({ delivered }) => delivered === 8);
  });

  it('is a body of its own, also where results share one', async () => {
    const sandbox = await startSandbox({ webhookBatch: { max: 10, withinMs: 60_000 } });
    const receiver = await startReceiver();
    await register(sandbox, { targetUrl: receiver.url });
    await emit(sandbox, 'enrichmentDone');
    await emit(sandbox, 'smsSent');
    await receiver.received(2);
  });
});
