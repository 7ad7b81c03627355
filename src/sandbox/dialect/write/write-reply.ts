// What a client gets for what a neutral route answered, or for a request that no call of the dialect is.
import { isJsonObject } from '../../../model/text/json.js';
import type { Match } from '../match-call.js';
import { type Surroundings, writeAnswer } from './write-answer.js';
import { type Reply, writePending, writeRefusal } from './write-refusal.js';

/** `neutral` is the answer of the route, or of the server where there was none. */
export function writeReply(match: Match, neutral: Reply, surroundings: Surroundings): Reply {
  const { dialect } = surroundings;
  const { status, body } = neutral;
  // What the gates before every route refused (401, 429) is refused on any path.
  const isUnrouted = match.kind !== 'call' && status === 404;
  if (match.kind === 'other-method' && isUnrouted) {
    return writeRefusal(405, `Only ${match.methods.join(', ')} is possible here.`, dialect);
  }
  const { id, error } = isJsonObject(body) ? body : {};
  if (match.kind !== 'call' || status >= 300) {
    return writeRefusal(status, typeof error === 'string' ? error : '', dialect);
  }
  if (status === 202) return writePending(id, dialect);
  return { status, body: writeAnswer(match.call.name, body, surroundings) };
}
