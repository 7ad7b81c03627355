// The columns of the table of events, the same whatever the events (docs/platform-api.md, Payload).

import type { StoredEvent } from '../../ports/store/events.js';
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { type ColumnSpec, kindOf } from '../columns/column-spec.js';
import { parseDate } from '../text/date.js';
import type { JsonObject, JsonValue } from '../text/json.js';
import { groupOfEvent } from './event-catalogue.js';

type EventColumnType = 'text' | 'date and time' | 'integer' | 'boolean' | 'JSON';

interface EventColumn extends Omit<ColumnSpec, 'origin'> {
  readonly type: EventColumnType;
  readonly field: string | undefined;
}

function column(name: string, type: EventColumnType, about: string, field?: string): EventColumn {
  return { name, type, about, field };
}

/** The columns in output order. A field that is missing, or not of its type, leaves its cell empty. */
export const EVENT_FIELDS: readonly EventColumn[] = [
  column('event_id', 'text', 'Id of the activity, `act_…`', '_id'),
  column('type', 'text', 'The kind of event'),
  column('group', 'text', 'The group of the type; empty for a type that is not known'),
  column(
    'happened_at',
    'date and time',
    'When it happened: ISO 8601, UTC; when it was kept, where it does not say',
    'createdAt',
  ),
  column('received_at', 'date and time', 'When it was kept here: ISO 8601, UTC'),
  column('team_id', 'text', 'Team of the activity', 'teamId'),
  column('campaign_id', 'text', 'Empty for what belongs to no campaign', 'campaignId'),
  column('campaign_name', 'text', 'Name of the campaign', 'campaignName'),
  column('sequence_id', 'text', 'Sequence of the campaign', 'sequenceId'),
  column('sequence_step', 'integer', 'Step of the sequence; the first is 0', 'sequenceStep'),
  column('lead_id', 'text', "The platform's id of the lead", 'leadId'),
  column('lead_email', 'text', "The lead's e-mail address", 'leadEmail'),
  column('lead_first_name', 'text', "The lead's first name", 'leadFirstName'),
  column('lead_last_name', 'text', "The lead's last name", 'leadLastName'),
  column('send_user_id', 'text', 'The user who sent it', 'sendUserId'),
  column('send_user_email', 'text', "The sender's e-mail address", 'sendUserEmail'),
  column('send_user_name', 'text', "The sender's name", 'sendUserName'),
  column('subject', 'text', 'Subject of the e-mail', 'subject'),
  column(
    'to',
    'JSON',
    'Recipients, each `{address, name}`; of a sent, answered or bounced e-mail',
    'to',
  ),
  column('cc', 'JSON', 'Recipients of copies', 'cc'),
  column('bcc', 'JSON', 'Recipients of hidden copies; of a sent e-mail only', 'bcc'),
  column(
    'is_third_party_reply',
    'boolean',
    'Whether a person other than the lead replied; such an event names no campaign, lead and sequence',
    'isThirdPartyReply',
  ),
  column('platform_type', 'text', "The platform's own name of the type", 'type'),
  column('details', 'JSON', 'Every other field of the record, as it came'),
];

export const EVENT_COLUMNS: readonly OutputColumn[] = EVENT_FIELDS.map((field) => ({
  name: field.name,
  key: field.name,
  kind: kindOf(field),
}));

/** The cells of one event, aligned with the columns; of a field of another type, `details` keeps the value. */
export function toEventRow(event: StoredEvent): OutputRow {
  const own: Readonly<Record<string, JsonValue>> = {
    type: event.type,
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
      return typeof value === 'string' && parseDate(value) !== undefined;
    case 'text':
      return typeof value === 'string';
  }
}
