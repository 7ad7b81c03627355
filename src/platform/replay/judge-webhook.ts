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
  /** The proofs that could not be verified, and why. */
  readonly notes: readonly string[];
}

/** A place at which the dialect wants a proof of a webhook's origin. */
interface Place {
  readonly name: string;
  readonly value: string | undefined;
  readonly isHeader: boolean;
  /** Whether a webhook without it is refused. */
  readonly isDemanded: boolean;
}

export function checkProofs(part: RecordedWebhook, { dialect, prove }: Replay): ProofCheck {
  const { webhooks } = dialect;
  const all = placesIn(part, webhooks);
  const hasNoHeaders = Object.keys(part.headers).length === 0;
  const places = all.filter(({ isHeader }) => !(isHeader && hasNoHeaders));
  const notes = all
    .filter((place) => !places.includes(place))
    .map(({ name }) => `no headers are recorded, so ${name} is not looked at`);
  // A signature is proof enough.
  const isProof = part.secret !== undefined && webhooks.signature === null;
  const missing = places.filter(
    (place) => place.value === undefined && (place.isDemanded || isProof),
  );
  if (missing.length > 0) {
    const problems = missing.map(
      ({ name }) => `a webhook has to show ${name}, and this one does not`,
    );
    return { problems, notes };
  }
  const there = places.filter(({ value }) => value !== undefined);
  const hidden = there.filter(({ value }) => value?.includes(LEFT_OUT));
  if (part.secret !== undefined && hidden.length === 0 && there.length > 0 && notes.length === 0) {
    const problem = prove(webhooks, part.secret, part);
    return { problems: problem === undefined ? [] : [problem], notes };
  }
  const why = part.secret === undefined ? 'no "# secret:" stands above' : 'a part is left out';
  const unproven = there.map(({ name }) => `${name} is there, and not verified, for ${why}`);
  return { problems: [], notes: [...notes, ...unproven] };
}

function placesIn(
  { headers, body }: RecordedWebhook,
  { secret, signature }: Replay['dialect']['webhooks'],
): Place[] {
  const header = (what: string, name: string, more: Partial<Place> = {}): Place => ({
    name: `${what} in the header ${name}`,
    value: headers[name.toLowerCase()],
    isHeader: true,
    isDemanded: true,
    ...more,
  });
  const places: Place[] = [];
  if (signature !== null) places.push(header('the signature', signature.header));
  if (secret === null) return places;
  const isDemanded = secret.of === 'key';
  if ('header' in secret) return [...places, header('the secret', secret.header, { isDemanded })];
  const value = valueAt(parseJson(body), secret.at);
  const shown = typeof value === 'string' ? value : undefined;
  const name = `the secret at ${secret.at} in the body`;
  return [...places, { name, value: shown, isHeader: false, isDemanded }];
}
