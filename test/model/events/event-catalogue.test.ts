import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE, judgeEventType } from '../../../src/model/events/event-catalogue.js';

// Copied by hand from the platform's documentation, in its order (docs/platform-api.md, Event types).
const DOCUMENT = {
  state: 'contacted hooked attracted warmed interested notInterested',
  email:
    'emailsSent emailsOpened emailsClicked emailsReplied emailsBounced emailsFailed emailsInterested emailsNotInterested emailsUnsubscribed',
  social:
    'socialSent socialOpened socialReplied socialInterested socialNotInterested socialSendFailed socialVisitDone socialVisitFailed socialFollowDone socialFollowFailed socialFollowSkipped socialInviteDone socialInviteFailed socialInviteAccepted socialEndorseDone socialEndorseFailed socialEndorseSkipped socialVoiceNoteDone socialVoiceNoteFailed socialLikeLastPostDone socialLikeLastPostNoPost socialLikeLastPostFailed socialWithdrawInvitationDone socialWithdrawInvitationFailed',
  chat: 'chatMessageSent chatMessageDelivered chatMessageOpened chatReplied chatMessageFailed',
  sms: 'smsSent smsDelivered smsReplied smsFailed',
  call: 'phoneCreated phoneEnded phoneDone phoneInterested phoneNotInterested callRecordingDone callTranscriptDone',
  api: 'apiDone apiInterested apiNotInterested apiFailed',
  manual: 'manualInterested manualNotInterested',
  task: 'annotated',
  workspace:
    'paused resumed stopped campaignComplete customDomainErrors connectionIssue sendLimitReached warmupPaused',
  enrichment: 'enrichmentDone enrichmentError',
  inbox: 'inboxLabelUpdated',
  signal: 'signalRegistered',
  deliverability: 'deliverabilityAlertTriggered',
};

describe('the catalogue of events', () => {
  it('is the list of the document, in its groups and its order', () => {
    const listed = Object.entries(DOCUMENT).flatMap(([group, types]) =>
      types.split(' ').map((type) => [group, type]),
    );
    expect(EVENT_CATALOGUE.map(({ group, type }) => [group, type])).toEqual(listed);
  });

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
