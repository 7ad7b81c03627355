// The questions of a dialect that cost nothing: the request of each, and the judgement of the dialect by its answer.
// The requested objects do not exist, so no data of a person comes back, and 404 is the right answer.

import type { Dialect } from '../../dialect/dialect.js';
import { type CallPaths, pathOrFirst } from '../../dialect/parts.js';
import { type CallFinding, right, unclear, wrong } from '../../model/resources/check.js';
import { formatCount } from '../../model/text/count.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import { judgeRead } from '../answers/judge-read.js';
import { type Asked, redirectTarget, said, unreadable } from '../answers/problems.js';
import { statusKind } from '../answers/status-kind.js';
import { hasBatchTickets } from '../answers/ticket.js';
import type { Answer } from '../wire/exchange.js';
import { type PathValues, withQuery } from '../wire/request.js';
import type { Wire } from '../wire/wire.js';
import { balanceIn } from './account.js';
import { readListing } from './hooks.js';
import { isPeopleSchema } from './people-schema.js';
import { DRAFT_OWNER, decodeDraft } from './read-draft.js';

export interface FreeCall {
  /** The part of the dialect that describes the question; `pathKey` is the key of its path. */
  readonly key: string;
  readonly pathKey: string;
  readonly method: 'GET' | 'POST';
  /** The path as the dialect has it. */
  readonly path: string;
  /** The path as it is on the request line. */
  readonly target: string;
  /** Statuses that are right besides 2xx, because the requested object does not exist; none if it must exist. */
  readonly expected: readonly number[];
  /** Judges the dialect by a 2xx with JSON. */
  readonly judge: (body: JsonValue, answer: Answer, asked: Asked) => CallFinding;
}

/** Neither a ticket nor an id of any platform. */
const NO_SUCH_ID = 'sluice-check-no-such-id';
/** A ticket of a whole bulk call comes with the digest of an item's key; this is not a digest. */
const NO_SUCH_DIGEST = 'none';

export function freeCalls(wire: Wire): FreeCall[] {
  const { account, drafts, hooks, peopleSchema } = wire.dialect;
  return [
    ...(account === null ? [] : [accountCall(wire, account)]),
    ...(peopleSchema === null ? [] : [peopleSchemaCall(wire, peopleSchema)]),
    ...(hooks === null ? [] : [hooksCall(wire, hooks)]),
    ...resultCalls(wire),
    ...(drafts === null ? [] : [draftsCall(wire, drafts)]),
  ];
}

/** The part of a dialect that describes a call. */
type Part<K extends keyof Dialect> = NonNullable<Dialect[K]>;

function accountCall(wire: Wire, { path, credits }: Part<'account'>): FreeCall {
  return {
    ...get(wire, 'account', path),
    judge: (body, answer, asked) => {
      if (credits.length === 0) return right(`${answer.status} with JSON`);
      const balance = balanceIn(body, wire.dialect);
      if (balance !== undefined)
        return right(`${answer.status} with ${formatCount(balance, 'credit')} left`);
      const lack = unreadable(asked, answer, 'without a number of credits');
      return wrong(lack, ['account.credits']);
    },
  };
}

function peopleSchemaCall(wire: Wire, { path }: Part<'peopleSchema'>): FreeCall {
  return {
    ...get(wire, 'peopleSchema', path),
    judge: (body, answer, asked) =>
      isPeopleSchema(body)
        ? right(`${answer.status} with a people schema`)
        : wrong(unreadable(asked, answer, 'without a people schema'), ['peopleSchema.path']),
  };
}

function hooksCall(wire: Wire, { path }: Part<'hooks'>): FreeCall {
  return {
    ...get(wire, 'hooks', path),
    judge: (body, answer, asked) => {
      const listing = readListing(body, wire);
      if (listing === undefined) {
        return wrong(unreadable(asked, answer, 'without a list of hooks'), ['hooks.entries']);
      }
      const { hooks, count } = listing;
      const what = count === 0 ? 'no hook, so their keys stay unchecked' : 'hooks that can be read';
      if (hooks.length === count) return right(`${answer.status} with ${what}`);
      const lack = `with hooks of which no id or no target can be read: ${count - hooks.length} of ${count}`;
      return wrong(unreadable(asked, answer, lack), ['hooks.entries']);
    },
  };
}

function resultCalls(wire: Wire): FreeCall[] {
  const { bulk, result } = wire.dialect;
  if (result === null) return [];
  const { path, batchPath } = result;
  const isBatchApart = bulk.path !== null && hasBatchTickets(wire.dialect) && batchPath !== null;
  const calls = [resultCall(wire, 'result', path)];
  return isBatchApart
    ? [...calls, resultCall(wire, 'result.batchPath', batchPath, NO_SUCH_DIGEST)]
    : calls;
}

function resultCall(wire: Wire, key: string, paths: CallPaths, digest?: string): FreeCall {
  const { answer, result } = wire.dialect;
  const { pending, notFound, failed, unknown } = answer.read;
  const statuses = [pending, notFound, failed, unknown].flat().flatMap(({ status = [] }) => status);
  const places = ['answer.read.entries', 'answer.read.pending'];
  return {
    ...get(wire, key, pathOrFirst(paths), { id: NO_SUCH_ID }),
    pathKey: digest === undefined ? 'result.path' : 'result.batchPath',
    method: result?.method ?? 'GET',
    expected: [404, 410, ...statuses],
    judge: (_, answer, asked) => {
      const read = judgeRead(answer, { ticket: NO_SUCH_ID, digest }, asked);
      const nothing = 'without a result for a ticket that is not there';
      switch (read.kind) {
        case 'pending':
        case 'unknown':
          return right(`${answer.status} read as ${read.kind}`);
        case 'failed':
          return right(`${answer.status} read as failed: ${read.reason}`);
        case 'done':
          if (read.isMiss === true) return right(`${answer.status} read as not found`);
          if (read.odd?.lack === 'missing')
            return unclear(unreadable(asked, answer, nothing), places);
          return unclear(`${answer.status} with a result for a ticket that is not there`, places);
        case 'unavailable':
          return unclear(unreadable(asked, answer, nothing), places);
      }
    },
  };
}

function draftsCall(wire: Wire, drafts: Part<'drafts'>): FreeCall {
  const ids = { contactId: NO_SUCH_ID, draftId: NO_SUCH_ID };
  const call = get(wire, 'drafts', drafts.path, ids);
  return {
    ...call,
    target: withQuery(call.target, [[DRAFT_OWNER, `usr_${NO_SUCH_ID}`]]),
    // The platform may refuse an owner of no team before it looks for the draft (docs/platform-api.md, Authentication).
    expected: [404, 410, 403],
    judge: (body, answer) => {
      const what = decodeDraft(body) === undefined ? 'without a draft' : 'with a draft';
      return unclear(`${answer.status} ${what}, for one that is not there`, ['drafts.path']);
    },
  };
}

function get(wire: Wire, key: string, path: string, values?: PathValues) {
  const target = wire.pathOf(path, values);
  return { key, pathKey: `${key}.path`, method: 'GET', path, target, expected: [] } as const;
}

/** The beginning of a page, which a server may answer at a path that is not the API's, whatever its status. */
const PAGE = /^\s*</;

/** Judges the dialect by an answer: by its status first, then by its body. */
export function judgeFreeCall(call: FreeCall, answer: Answer, asked: Asked): CallFinding {
  const place = ['prefix', call.pathKey];
  if (PAGE.test(answer.text)) return wrong(unreadable(asked, answer, 'with a page'), place);
  const what = said(asked, answer);
  if (call.expected.includes(answer.status)) {
    return right(`${what}; right for what is not there`);
  }
  switch (statusKind(answer, asked.dialect)) {
    case 'ok': {
      const body = parseJson(answer.text);
      if (body === undefined) return wrong(unreadable(asked, answer, 'without JSON'), place);
      return call.judge(body, answer, asked);
    }
    case 'missing':
      return wrong(what, place);
    case 'misplaced':
      return wrong(`${what}: the path takes no GET`, [call.pathKey]);
    case 'redirect':
      return wrong(`${answer.status} to ${redirectTarget(asked, answer)}`, place);
    case 'credentials':
      return wrong(`${what}: no place for this account, or none at all`, place);
    case 'out_of_credits':
      return wrong(`${what}: read as out of credits`, ['errors.outOfCredits']);
    case 'refused':
      // The platform may refuse the form of an id that cannot exist, though the path is right.
      return (call.expected.length === 0 ? wrong : unclear)(what, [call.pathKey]);
    case 'broken':
      return wrong(`${what}: an error of the platform; check again later`, []);
  }
}
