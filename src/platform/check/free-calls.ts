// The questions of a dialect that cost nothing: what each asks, and what a 2xx with JSON tells of the dialect.
// Nothing that is asked for is there, so nobody's data comes back, and 404 is the right answer.

import { firstValueAt } from '../../dialect/wire-path.js';
import { type CallFinding, right, unclear, wrong } from '../../model/platform/check.js';
import type { JsonValue } from '../../model/text/json.js';
import { type Asked, unreadable } from '../asked.js';
import { judgeRead } from '../decode/judge-read.js';
import { readListing } from '../hooks.js';
import { isPeopleSchema } from '../people-schema.js';
import { decodeDraft } from '../read-draft.js';
import { hasBatchTickets } from '../submit/batch-ticket.js';
import { type PathValues, withQuery } from '../wire/address.js';
import type { Answer } from '../wire/exchange.js';
import type { Wire } from '../wire.js';

export interface FreeCall {
  /** The part of the dialect that describes it, and the key of its path. */
  readonly key: string;
  readonly pathKey: string;
  readonly method: 'GET' | 'POST';
  /** As the dialect has it. */
  readonly path: string;
  /** As it stands on the request line. */
  readonly target: string;
  /** Statuses that are right besides 2xx, since what is asked for is not there; none where it must be there. */
  readonly expected: readonly number[];
  /** What a 2xx with JSON tells. */
  readonly judge: (body: JsonValue, answer: Answer, asked: Asked) => CallFinding;
}

/** Neither a ticket nor an id of any platform. */
const NO_SUCH_ID = 'sluice-check-no-such-id';
/** A ticket of a whole bulk call comes with the digest of an item's key; this is no digest. */
const NO_SUCH_DIGEST = 'none';

export function freeCalls(wire: Wire): FreeCall[] {
  const { bulk, result } = wire.dialect;
  const { batchPath } = result;
  const isBatchApart = bulk.path !== null && hasBatchTickets(wire.dialect) && batchPath !== null;
  return [
    peopleSchemaCall(wire),
    hooksCall(wire),
    resultCall(wire, 'result', result.path),
    ...(isBatchApart ? [resultCall(wire, 'result.batchPath', batchPath, NO_SUCH_DIGEST)] : []),
    draftsCall(wire),
  ];
}

function peopleSchemaCall(wire: Wire): FreeCall {
  const places = ['peopleSchema.schema', 'peopleSchema.properties'];
  return {
    ...get(wire, 'peopleSchema', wire.dialect.peopleSchema.path),
    judge: (body, answer, asked) =>
      isPeopleSchema(body, wire)
        ? right(`${answer.status} with a people schema`)
        : wrong(unreadable(asked, answer, 'without a people schema'), places),
  };
}

function hooksCall(wire: Wire): FreeCall {
  return {
    ...get(wire, 'hooks', wire.dialect.hooks.path),
    judge: (body, answer, asked) => {
      const listing = readListing(body, wire);
      if (listing === undefined) {
        return wrong(unreadable(asked, answer, 'without a list of hooks'), ['hooks.entries']);
      }
      const { hooks, count } = listing;
      const what = count === 0 ? 'no hook, so their keys stay unchecked' : 'hooks that can be read';
      if (hooks.length === count) return right(`${answer.status} with ${what}`);
      const lack = `with hooks of which no id or no target can be read: ${count - hooks.length} of ${count}`;
      return wrong(unreadable(asked, answer, lack), ['hooks.id', 'hooks.targetUrl']);
    },
  };
}

function resultCall(wire: Wire, key: string, path: string, digest?: string): FreeCall {
  const { result } = wire.dialect;
  const places = ['answer.entries', 'result.pending'];
  return {
    ...get(wire, key, path, { id: NO_SUCH_ID }),
    pathKey: digest === undefined ? 'result.path' : 'result.batchPath',
    method: result.method,
    expected: [404, 410, ...result.pending.statuses],
    judge: (_, answer, asked) => {
      const told = judgeRead(answer, { ticket: NO_SUCH_ID, digest }, asked);
      const nothing = 'without a result for a ticket that is not there';
      switch (told.kind) {
        case 'pending':
        case 'unknown':
          return right(`${answer.status} read as ${told.kind}`);
        case 'failed':
          return right(`${answer.status} read as failed: ${told.reason}`);
        case 'done':
          if (told.odd?.lack === 'missing')
            return unclear(unreadable(asked, answer, nothing), places);
          return unclear(`${answer.status} with a result for a ticket of nobody`, places);
        case 'unavailable':
          return unclear(unreadable(asked, answer, nothing), places);
      }
    },
  };
}

function draftsCall(wire: Wire): FreeCall {
  const { drafts } = wire.dialect;
  const ids = { contactId: NO_SUCH_ID, draftId: NO_SUCH_ID };
  const call = get(wire, 'drafts', drafts.path, ids);
  return {
    ...call,
    target: withQuery(call.target, [[drafts.owner, `usr_${NO_SUCH_ID}`]]),
    // The platform may refuse an owner of no team before it looks for the draft (docs/platform-api.md, Authentication).
    expected: [404, 410, 403],
    judge: (body, answer) => {
      const draft = decodeDraft(firstValueAt(body, drafts.draft), wire);
      const what = draft === undefined ? 'without a draft' : 'with a draft';
      return unclear(`${answer.status} ${what}, for one that is not there`, ['drafts.draft']);
    },
  };
}

function get(wire: Wire, key: string, path: string, values?: PathValues) {
  const target = wire.pathOf(path, values);
  return { key, pathKey: `${key}.path`, method: 'GET', path, target, expected: [] } as const;
}
