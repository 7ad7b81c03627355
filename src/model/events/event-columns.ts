// The columns of the table of events, the same ones whatever the events (docs/platform-api.md, Payload).

import type { StoredEvent } from '../../ports/store/events.js';
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { type ColumnSpec, kindOf } from '../columns/column-spec.js';
import type { JsonObject, JsonValue } from '../text/json.js';
import { parseHttpDate } from '../text/time.js';
import { groupOfEvent } from './event-catalogue.js';

type EventColumnType = 'text' | 'date and time' | 'integer' | 'boolean' | 'JSON';

interface EventColumn extends ColumnSpec {
  readonly type: EventColumnType;
  /** The field of the record that it shows; undefined where it is not one of the record's. */
  readonly field?: string;
}

/** In output order. A field that is missing, or not of its type, leaves its cell empty. */
export const EVENT_FIELDS: readonly EventColumn[] = [
  { name: 'event_id', type: 'text', field: '_id', about: 'Id of the activity, `act_…`' },
  { name: 'type', type: 'text', field: 'type', about: 'What happened' },
  {
    name: 'group',
    type: 'text',
    about: 'The group of the type; empty for a type that is not known',
  },
  {
    name: 'happened_at',
    type: 'date and time',
    field: 'createdAt',
    about: 'When it happened: ISO 8601, UTC; when it was kept, where it does not say',
  },
  { name: 'received_at', type: 'date and time', about: 'When it was kept here: ISO 8601, UTC' },
  { name: 'team_id', type: 'text', field: 'teamId', about: 'Team of the activity' },
  {
    name: 'campaign_id',
    type: 'text',
    field: 'campaignId',
    about: 'Empty for what belongs to no campaign',
  },
  { name: 'campaign_name', type: 'text', field: 'campaignName', about: 'Name of the campaign' },
  { name: 'sequence_id', type: 'text', field: 'sequenceId', about: 'Sequence of the campaign' },
  {
    name: 'sequence_step',
    type: 'integer',
    field: 'sequenceStep',
    about: 'Step of the sequence; the first is 0',
  },
  { name: 'lead_id', type: 'text', field: 'leadId', about: "The platform's id of the lead" },
  { name: 'lead_email', type: 'text', field: 'leadEmail', about: "The lead's e-mail address" },
  { name: 'lead_first_name', type: 'text', field: 'leadFirstName', about: "The lead's first name" },
  { name: 'lead_last_name', type: 'text', field: 'leadLastName', about: "The lead's last name" },
  { name: 'send_user_id', type: 'text', field: 'sendUserId', about: 'Who sent it: the user' },
  {
    name: 'send_user_email',
    type: 'text',
    field: 'sendUserEmail',
    about: "The sender's e-mail address",
  },
  { name: 'send_user_name', type: 'text', field: 'sendUserName', about: "The sender's name" },
  { name: 'subject', type: 'text', field: 'subject', about: 'Subject of the e-mail' },
  {
    name: 'to',
    type: 'JSON',
    field: 'to',
    about: 'Recipients, each `{address, name}`; of a sent, answered or bounced e-mail',
  },
  { name: 'cc', type: 'JSON', field: 'cc', about: 'Recipients of copies' },
  {
    name: 'bcc',
    type: 'JSON',
    field: 'bcc',
    about: 'Recipients of hidden copies; of a sent e-mail only',
  },
  {
    name: 'is_third_party_reply',
    type: 'boolean',
    field: 'isThirdPartyReply',
    about:
      'Whether a person other than the lead replied; such an event names no campaign, lead and sequence',
  },
  { name: 'details', type: 'JSON', about: 'Every other field of the record, as it came' },
];

export const EVENT_COLUMNS: readonly OutputColumn[] = EVENT_FIELDS.map(({ name, type }) => ({
  name,
  key: name,
  kind: kindOf(type),
}));

/** The cells of one event, aligned with the columns; of a field of another type, `details` keeps the value. */
export function toEventRow(event: StoredEvent): OutputRow {
  const own: Readonly<Record<string, JsonValue>> = {
    group: groupOfEvent(event.type) ?? null,
    happened_at: new Date(event.happenedAt).toISOString(),
    received_at: new Date(event.receivedAt).toISOString(),
  };
  const details: Record<string, JsonValue> = { ...event.record };
  return EVENT_FIELDS.map(({ name, type, field }) => {
    if (name === 'details') return Object.keys(details).length === 0 ? null : details;
    const value = field === undefined ? undefined : event.record[field];
    const isCell = value !== undefined && value !== null && holds(type, value);
    if (field !== undefined && isCell) delete details[field];
    return own[name] ?? (isCell ? value : null);
  });
}

/** The same as an object, whose keys are the names of the columns. */
export function toEventObject(event: StoredEvent): JsonObject {
  const row = toEventRow(event);
  return Object.fromEntries(EVENT_COLUMNS.map(({ key }, i) => [key, row[i] ?? null]));
}

function holds(type: EventColumnType, value: JsonValue): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'JSON':
      return Array.isArray(value);
    case 'date and time':
      return typeof value === 'string' && parseHttpDate(value) !== undefined;
    case 'text':
      return typeof value === 'string';
  }
}
