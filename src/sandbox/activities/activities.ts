// The activities that were emitted by hand. What is kept of them tells the first one of a lead from the later ones.
import { groupOfEvent } from '../../model/events/event-catalogue.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { hashText } from '../ledger/fingerprint-request.js';

export interface Activity {
  readonly kind: 'activity';
  /** An id that is never used twice; the `_id` of its record unless the caller gave another one. */
  readonly id: string;
  readonly type: string;
  /** The record for hooks, without their secret. */
  readonly record: JsonObject;
  /** Milliseconds since the Unix epoch. */
  readonly readyAt: number;
  /** Whether it is the first of its type for this lead; always true if the record names no lead. */
  readonly isFirst: boolean;
  deliveries: number;
}

/** The activities that change a lead's state, by the meanings of the states (docs/platform-api.md, Event types). */
const STATE_AFTER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    contacted:
      'emailsSent socialSent socialInviteDone socialVoiceNoteDone chatMessageSent smsSent apiDone',
    hooked: 'emailsOpened socialOpened chatMessageOpened',
    attracted: 'emailsClicked socialInviteAccepted',
    warmed: 'emailsReplied socialReplied chatReplied smsReplied',
    interested: 'emailsInterested socialInterested phoneInterested apiInterested manualInterested',
    notInterested:
      'emailsNotInterested socialNotInterested phoneNotInterested apiNotInterested manualNotInterested',
  }).flatMap(([state, types]) => types.split(' ').map((type) => [type, state] as const)),
);

interface ActivitiesOptions {
  readonly seed: number;
  readonly now: () => number;
}

export class Activities {
  #count = 0;
  readonly #seen = new Set<string>();
  readonly #states = new Map<JsonValue, string>();

  constructor(private readonly options: ActivitiesOptions) {}

  /** Adds the record that `build` makes with its id (`act_…`). */
  emit(type: string, build: (id: string, now: number) => JsonObject): Activity {
    const { seed, now } = this.options;
    const id = `act_${hashText(`activity\n${seed}\n${this.#count}`)}`;
    this.#count += 1;
    const readyAt = Math.floor(now());
    const record = build(id, readyAt);
    const leadId = record['leadId'];
    const key = JSON.stringify([type, leadId]);
    const isFirst = leadId === undefined || !this.#seen.has(key);
    this.#seen.add(key);
    if (leadId !== undefined && groupOfEvent(type) === 'state') this.#states.set(leadId, type);
    return { kind: 'activity', id, type, record, readyAt, isFirst, deliveries: 0 };
  }

  /** Undefined if it means no change of state (docs/platform-api.md, States), names no lead, or changes nothing. */
  emitState({ type, record }: Activity): Activity | undefined {
    const { leadId } = record;
    const state = STATE_AFTER.get(type);
    if (state === undefined || leadId === undefined || this.#states.get(leadId) === state) {
      return undefined;
    }
    const { subject: _subject, to: _to, cc: _cc, bcc: _bcc, ...common } = record;
    return this.emit(state, (id) => ({ ...common, _id: id, type: state }));
  }
}
