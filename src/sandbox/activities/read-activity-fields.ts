// Reads the fields that the caller sets in an activity to be emitted. Documented ones are checked
// (docs/platform-api.md, Payload; docs/platform-api.md, Email recipients); other names are taken as they are.
import { z } from 'zod';
import type { PlatformEvent } from '../../model/events/event-catalogue.js';
import type { JsonObject } from '../../model/text/json.js';
import { isEmail } from '../judge-inputs.js';

const LENGTH_MAX = 1000;
const TEXT = z.string().max(LENGTH_MAX).nullable().exactOptional();
const RECIPIENT = z.strictObject({
  address: z.string().max(LENGTH_MAX).refine(isEmail),
  name: z.string().max(LENGTH_MAX).default(''),
});
const RECIPIENTS = z.preprocess(splitAddresses, z.array(RECIPIENT).nullable()).exactOptional();

const FIELDS = z.object({
  _id: TEXT,
  teamId: TEXT,
  createdAt: z.iso
    .datetime({ offset: true, error: 'not a time in ISO 8601' })
    .nullable()
    .exactOptional(),
  campaignId: TEXT,
  campaignName: TEXT,
  sequenceId: TEXT,
  sequenceStep: z.int().min(0).nullable().exactOptional(),
  leadId: TEXT,
  leadEmail: TEXT,
  leadFirstName: TEXT,
  leadLastName: TEXT,
  sendUserId: TEXT,
  sendUserEmail: TEXT,
  sendUserName: TEXT,
  subject: TEXT,
  to: RECIPIENTS,
  cc: RECIPIENTS,
  bcc: RECIPIENTS,
  isThirdPartyReply: z.boolean().exactOptional(),
});

/** Null leaves a field out of the record. */
export type ActivityFields = Readonly<z.infer<typeof FIELDS>>;

export interface ReadFields {
  readonly fields: ActivityFields;
  /** Fields that are not documented. */
  readonly others: JsonObject;
}

/** Events that name the recipients of an e-mail. */
export const WITH_RECIPIENTS: ReadonlySet<string> = new Set([
  'emailsSent',
  'emailsReplied',
  'emailsBounced',
]);
const NOT_OF_THIRD_PARTIES = ['campaignId', 'leadId', 'sequenceId'] as const;

/** The fields, or one sentence about the first wrong one. */
export function readActivityFields(event: PlatformEvent, given: JsonObject): ReadFields | string {
  const parsed = FIELDS.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0] ?? '');
    const isRecipients = name === 'to' || name === 'cc' || name === 'bcc';
    const why = isRecipients
      ? 'write a@b.example, c@d.example or [{"address": "a@b.example", "name": "A"}]'
      : (issue?.message ?? '');
    return `The field ${name} cannot be used: ${why}.`;
  }
  const fields = parsed.data;
  const problem = findMisplaced(event, given);
  if (problem !== undefined) return problem;
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(FIELDS.shape, name));
  return { fields, others: Object.fromEntries(others) };
}

function findMisplaced({ type, group }: PlatformEvent, given: JsonObject): string | undefined {
  const has = (name: string): boolean => Object.hasOwn(given, name);
  if (has('type')) return 'The field type is the event itself: name another event.';
  if (has('secret')) return 'The field secret is what each hook was registered with.';
  if (has('subject') && group !== 'email') return 'Only email events have a subject.';
  for (const name of ['to', 'cc']) {
    if (has(name) && !WITH_RECIPIENTS.has(type)) {
      return `Only ${[...WITH_RECIPIENTS].join(', ')} have the field ${name}.`;
    }
  }
  if (has('bcc') && type !== 'emailsSent') return 'Only emailsSent has the field bcc.';
  if (!has('isThirdPartyReply')) return undefined;
  if (type !== 'emailsReplied') return 'Only emailsReplied has the field isThirdPartyReply.';
  const contrary = NOT_OF_THIRD_PARTIES.find((name) => has(name) && given[name] !== null);
  if (given['isThirdPartyReply'] !== true || contrary === undefined) return undefined;
  return `A third-party reply has no ${contrary}: leave one of the two fields out.`;
}

// The short form for a command line: addresses with commas between them.
function splitAddresses(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  return given.split(',').map((address) => ({ address: address.trim() }));
}
