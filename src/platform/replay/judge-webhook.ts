// Judges a recorded webhook: how it is read, and whether it shows the proof that the dialect asks for.
import type { RecordedWebhook } from '../../dialect/transcript/recorded.js';
import { valueAt } from '../../dialect/wire-path.js';
import { parseJson } from '../../model/text/json.js';
import { createDeliveryDecoder } from '../answers/decode-delivery.js';
import { LEFT_OUT } from './compare-question.js';
import { type Meaning, meaningOfRead } from './meaning.js';
import type { Replay } from './replay.js';

export function meaningsOfWebhook(
  part: RecordedWebhook,
  { dialect, accepted }: Replay,
): readonly Meaning[] {
  const entries = createDeliveryDecoder(dialect)(part.body);
  const answer = { status: 200, headers: part.headers, body: part.body };
  const came = { answer, dialect, isThrottled: false };
  const meanings = entries?.map((entry): Meaning => {
    const known = [...accepted.values()].flat().find(({ ticket }) => ticket === entry.ticket);
    const lead = known?.lead ?? part.leads[0];
    return meaningOfRead(entry.answer, { ...came, lead });
  });
  return meanings ?? [{ kind: 'other event' }];
}

/** Sentences without a full stop. */
interface ProofCheck {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

export function checkProofs(part: RecordedWebhook, { dialect, prove }: Replay): ProofCheck {
  const { webhooks } = dialect;
  const { headers, secret } = part;
  const proof = proofIn(part, webhooks);
  if (proof === undefined) return { problems: [], notes: [] };
  const { name, value, isHeader, isDemanded } = proof;
  if (isHeader && Object.keys(headers).length === 0) {
    return { problems: [], notes: [`no headers are recorded, so ${name} is not looked at`] };
  }
  if (value === undefined) {
    const isMissed = isDemanded || secret !== undefined;
    const problem = `a webhook has to show ${name}, and this one does not`;
    return { problems: isMissed ? [problem] : [], notes: [] };
  }
  if (secret !== undefined && !value.includes(LEFT_OUT)) {
    const problem = prove(webhooks, secret, part);
    return { problems: problem === undefined ? [] : [problem], notes: [] };
  }
  const why = secret === undefined ? 'there is no "# secret:" above it' : 'a part is left out';
  return { problems: [], notes: [`${name} is there, and not verified, for ${why}`] };
}

/** The proof of a webhook's origin that the dialect wants; a signature is proof enough. */
interface Proof {
  readonly name: string;
  readonly value: string | undefined;
  readonly isHeader: boolean;
  readonly isDemanded: boolean;
}

function proofIn(
  { headers, body }: RecordedWebhook,
  { secret, signature }: Replay['dialect']['webhooks'],
): Proof | undefined {
  const inHeader = (what: string, header: string, isDemanded: boolean): Proof => ({
    name: `${what} in the header ${header}`,
    value: headers[header.toLowerCase()],
    isHeader: true,
    isDemanded,
  });
  if (signature !== null) return inHeader('the signature', signature.header, true);
  if (secret === null) return undefined;
  const isDemanded = secret.of === 'key';
  if ('header' in secret) return inHeader('the secret', secret.header, isDemanded);
  const value = valueAt(parseJson(body), secret.at);
  const shown = typeof value === 'string' ? value : undefined;
  return {
    name: `the secret at ${secret.at} in the body`,
    value: shown,
    isHeader: false,
    isDemanded,
  };
}
