import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE, judgeEventType } from '../../../src/model/events/event-catalogue.js';

describe('the catalogue of events', () => {
  it('says what each means, in a sentence of its own', () => {
    const meanings = EVENT_CATALOGUE.map(({ meaning }) => meaning);
    for (const meaning of meanings) expect(meaning).toMatch(/^[A-Z].{10,}\.$/);
    expect(new Set(meanings).size).toBe(meanings.length);
  });

  it('knows which are of no lead and of no campaign', () => {
    const without = (key: 'hasCampaign' | 'hasLead') =>
      EVENT_CATALOGUE.filter((event) => !event[key]).map(({ type }) => type);
    const ofAccounts = [
      'customDomainErrors',
      'connectionIssue',
      'sendLimitReached',
      'warmupPaused',
      'enrichmentDone',
      'enrichmentError',
    ];
    const ofAgents = ['signalRegistered', 'deliverabilityAlertTriggered'];
    expect(without('hasLead')).toEqual(['campaignComplete', ...ofAccounts, ...ofAgents]);
    expect(without('hasCampaign')).toEqual([...ofAccounts, 'inboxLabelUpdated', ...ofAgents]);
  });
});

describe('the judgement of a name', () => {
  it('knows every event of the catalogue', () => {
    for (const event of EVENT_CATALOGUE) {
      expect(judgeEventType(event.type)).toEqual({ kind: 'known', event });
    }
  });

  it.each([
    ['skipped', 'nothing replaces it'],
    ['emailsSendFailed', 'use emailsFailed'],
    ['opportunitiesDone', 'use annotated, or task-level webhooks'],
  ])('advises what to use instead of %s', (type, advice) => {
    expect(judgeEventType(type)).toEqual({
      kind: 'removed',
      advice,
      problem: `The event ${type} was removed from the platform: ${advice}.`,
    });
  });

  it.each([
    ['emailSent', ['emailsSent']],
    ['EnrichmentDone', ['enrichmentDone']],
    ['emails_replied', ['emailsReplied']],
    ['smsFialed', ['smsFailed']],
    ['emailReply', ['emailsReplied']],
  ])('takes %s for none, and names the nearest', (text, nearest) => {
    const problem = `There is no event "${text}"; did you mean ${nearest.join(' or ')}?`;
    expect(judgeEventType(text)).toEqual({ kind: 'unknown', nearest, problem });
  });

  it.each(['', 'constructor', '__proto__', 'everything'])('takes %j for none', (text) => {
    expect(judgeEventType(text)).toEqual({
      kind: 'unknown',
      nearest: [],
      problem: expect.stringMatching(/ names are like emailsSent, .*\.$/),
    });
  });

  it('does not repeat an endless name', () => {
    const verdict = judgeEventType('x'.repeat(10_000));
    expect(verdict.kind === 'unknown' && verdict.problem.length).toBeLessThan(200);
  });
});
