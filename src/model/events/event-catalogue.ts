// Every event of the platform, once for all of Sluice (docs/platform-api.md, Event types): the names to which a hook
// may subscribe, and the advice for other names. The meanings are in our own words.
import { nearestNames, type Reach } from '../text/nearest.js';

const MEANINGS = {
  state: {
    contacted: 'The lead was contacted: an e-mail, a message or an API call went out.',
    hooked: 'The lead opened a message.',
    attracted: 'The lead clicked a link or accepted a social invitation.',
    warmed: 'The lead replied.',
    interested: 'The lead was marked as interested.',
    notInterested: 'The lead was marked as not interested.',
  },
  email: {
    emailsSent: 'An e-mail was sent to the lead.',
    emailsOpened: 'The lead opened an e-mail.',
    emailsClicked: 'The lead clicked a link in an e-mail.',
    emailsReplied: 'A person replied to an e-mail.',
    emailsBounced: 'An e-mail could not be delivered to its address.',
    emailsFailed: 'An e-mail failed to send.',
    emailsInterested: 'The lead was marked as interested after an e-mail.',
    emailsNotInterested: 'The lead was marked as not interested after an e-mail.',
    emailsUnsubscribed: 'The lead unsubscribed from e-mails.',
  },
  social: {
    socialSent: 'A social message was sent to the lead.',
    socialOpened: 'The lead opened a social message.',
    socialReplied: 'The lead replied to a social message.',
    socialInterested: 'The lead was marked as interested after a social message.',
    socialNotInterested: 'The lead was marked as not interested after a social message.',
    socialSendFailed: 'A social message failed to send.',
    socialVisitDone: 'The profile of the lead was visited.',
    socialVisitFailed: 'The profile of the lead could not be visited.',
    socialFollowDone: 'The lead was followed.',
    socialFollowFailed: 'The lead could not be followed.',
    socialFollowSkipped: 'Following the lead was skipped.',
    socialInviteDone: 'A social invitation was sent to the lead.',
    socialInviteFailed: 'A social invitation could not be sent.',
    socialInviteAccepted: 'The lead accepted a social invitation.',
    socialEndorseDone: 'A skill of the lead was endorsed.',
    socialEndorseFailed: 'A skill of the lead could not be endorsed.',
    socialEndorseSkipped: 'Endorsing the lead was skipped.',
    socialVoiceNoteDone: 'A voice note was sent to the lead.',
    socialVoiceNoteFailed: 'A voice note could not be sent.',
    socialLikeLastPostDone: 'The last post of the lead was liked.',
    socialLikeLastPostNoPost: 'No post of the lead was found to like.',
    socialLikeLastPostFailed: 'The last post of the lead could not be liked.',
    socialWithdrawInvitationDone: 'A social invitation was withdrawn.',
    socialWithdrawInvitationFailed: 'A social invitation could not be withdrawn.',
  },
  chat: {
    chatMessageSent: 'A chat message was sent to the lead.',
    chatMessageDelivered: 'A chat message reached the lead.',
    chatMessageOpened: 'The lead opened a chat message.',
    chatReplied: 'The lead replied in the chat.',
    chatMessageFailed: 'A chat message failed to send.',
  },
  sms: {
    smsSent: 'An SMS was sent to the lead.',
    smsDelivered: 'An SMS reached the lead.',
    smsReplied: 'The lead replied to an SMS.',
    smsFailed: 'An SMS failed to send.',
  },
  call: {
    phoneCreated: 'A call was created.',
    phoneEnded: 'A call ended.',
    phoneDone: 'A call task was completed.',
    phoneInterested: 'The lead was marked as interested after a call.',
    phoneNotInterested: 'The lead was marked as not interested after a call.',
    callRecordingDone: 'The recording of a call is ready.',
    callTranscriptDone: 'The transcript of a call is ready.',
  },
  api: {
    apiDone: 'An API step was done.',
    apiInterested: 'The lead was marked as interested after an API step.',
    apiNotInterested: 'The lead was marked as not interested after an API step.',
    apiFailed: 'An API step failed.',
  },
  manual: {
    manualInterested: 'A person marked the lead as interested by hand.',
    manualNotInterested: 'A person marked the lead as not interested by hand.',
  },
  task: {
    annotated: 'The lead was annotated.',
  },
  workspace: {
    paused: 'The lead was paused.',
    resumed: 'The lead was resumed.',
    stopped: 'The lead was stopped.',
    campaignComplete: 'A campaign is complete.',
    customDomainErrors: 'An error of a custom domain was detected.',
    connectionIssue: 'An e-mail account has trouble connecting.',
    sendLimitReached: 'The daily send limit was reached.',
    warmupPaused: 'The warm-up of a mailbox was paused.',
  },
  enrichment: {
    enrichmentDone: 'An enrichment has its result.',
    enrichmentError: 'An enrichment ended in an error.',
  },
  inbox: {
    inboxLabelUpdated: 'The label of a conversation was changed.',
  },
  signal: {
    signalRegistered: 'A signal agent detected a new signal.',
  },
  deliverability: {
    deliverabilityAlertTriggered: 'A deliverability alert was triggered.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type EventGroup = keyof typeof MEANINGS;

export interface PlatformEvent {
  readonly type: string;
  readonly group: EventGroup;
  readonly meaning: string;
  /** Whether its payload usually has a `campaignId` (docs/platform-api.md, Payload). */
  readonly hasCampaign: boolean;
  readonly hasLead: boolean;
}

// The documentation does not say which events belong to no campaign or no lead; this follows from their meanings.
const OF_NO_LEAD: ReadonlySet<string> = new Set([
  'campaignComplete',
  'customDomainErrors',
  'connectionIssue',
  'sendLimitReached',
  'warmupPaused',
  ...Object.keys(MEANINGS.enrichment),
  ...Object.keys(MEANINGS.signal),
  ...Object.keys(MEANINGS.deliverability),
]);
const WITH_CAMPAIGN_ALL_THE_SAME = 'campaignComplete';
const WITH_LEAD_ALONE = 'inboxLabelUpdated';

/** The events in the documented order. */
export const EVENT_CATALOGUE: readonly PlatformEvent[] = Object.entries(MEANINGS).flatMap(
  ([group, meanings]) =>
    Object.entries(meanings).map(([type, meaning]) => {
      const hasLead = !OF_NO_LEAD.has(type);
      const hasCampaign =
        type === WITH_CAMPAIGN_ALL_THE_SAME || (hasLead && type !== WITH_LEAD_ALONE);
      // `Object.entries` loses the types of the keys.
      return { type, group: group as EventGroup, meaning, hasCampaign, hasLead };
    }),
);

export const REMOVED_EVENTS: ReadonlyMap<string, string> = new Map([
  ['skipped', 'nothing replaces it'],
  ['emailsSendFailed', 'use emailsFailed'],
  ['opportunitiesDone', 'use annotated, or task-level webhooks'],
]);
const BY_TYPE: ReadonlyMap<string, PlatformEvent> = new Map(
  EVENT_CATALOGUE.map((event) => [event.type, event]),
);
const SHOWN_LENGTH_MAX = 50;
/** The reach of a misspelling: people leave out a plural or an ending, and there is no other name like emailReply. */
const REACH: Reach = { share: 1 / 2, max: 4 };

export const EVENT_GROUPS: readonly EventGroup[] = [
  ...new Set(EVENT_CATALOGUE.map(({ group }) => group)),
];

export function groupOfEvent(type: string): EventGroup | undefined {
  return BY_TYPE.get(type)?.group;
}

export type EventVerdict =
  | { readonly kind: 'known'; readonly event: PlatformEvent }
  /** The platform does not accept it any more; `problem` names what to use instead. */
  | { readonly kind: 'removed'; readonly advice: string; readonly problem: string }
  /** `nearest`: the events that may have been meant, at most three, nearest first. */
  | { readonly kind: 'unknown'; readonly nearest: readonly string[]; readonly problem: string };

/** Judges the name of an event, in its exact spelling; `problem` is one sentence for the person who gave it. */
export function judgeEventType(text: string): EventVerdict {
  const event = BY_TYPE.get(text);
  if (event !== undefined) return { kind: 'known', event };
  const advice = REMOVED_EVENTS.get(text);
  if (advice !== undefined) {
    const problem = `The event ${text} was removed from the platform: ${advice}.`;
    return { kind: 'removed', advice, problem };
  }
  const nearest = nearestNames(text, [...BY_TYPE.keys()], REACH);
  const hint =
    nearest.length > 0
      ? `did you mean ${nearest.join(' or ')}?`
      : 'their names are like emailsSent, socialReplied or enrichmentDone.';
  const shown = text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
  return {
    kind: 'unknown',
    nearest,
    problem: `There is no event ${JSON.stringify(shown)}; ${hint}`,
  };
}
