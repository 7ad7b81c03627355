// Every event a hook can subscribe to (platform-api.md, Event types), whether or not the sandbox ever sends it.

const EVENT_TYPES: readonly string[] = `
  contacted hooked attracted warmed interested notInterested
  emailsSent emailsOpened emailsClicked emailsReplied emailsBounced emailsFailed emailsInterested
  emailsNotInterested emailsUnsubscribed
  socialSent socialOpened socialReplied socialInterested socialNotInterested socialSendFailed
  socialVisitDone socialVisitFailed socialFollowDone socialFollowFailed socialFollowSkipped
  socialInviteDone socialInviteFailed socialInviteAccepted socialEndorseDone socialEndorseFailed
  socialEndorseSkipped socialVoiceNoteDone socialVoiceNoteFailed socialLikeLastPostDone
  socialLikeLastPostNoPost socialLikeLastPostFailed socialWithdrawInvitationDone
  socialWithdrawInvitationFailed
  chatMessageSent chatMessageDelivered chatMessageOpened chatReplied chatMessageFailed
  smsSent smsDelivered smsReplied smsFailed
  phoneCreated phoneEnded phoneDone phoneInterested phoneNotInterested callRecordingDone
  callTranscriptDone
  apiDone apiInterested apiNotInterested apiFailed
  manualInterested manualNotInterested
  annotated
  paused resumed stopped campaignComplete customDomainErrors connectionIssue sendLimitReached
  warmupPaused
  enrichmentDone enrichmentError
  inboxLabelUpdated
  signalRegistered
  deliverabilityAlertTriggered
`
  .trim()
  .split(/\s+/);

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** The two that the sandbox sends. */
export type EnrichmentEvent = 'enrichmentDone' | 'enrichmentError';

/** False for removed events as well: the platform does not accept them. */
export function isEventType(text: string): boolean {
  return KNOWN.has(text);
}
