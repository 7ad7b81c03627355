// What the answer to a free question tells of the dialect: by its status first, then by its body.
import { type CallFinding, right, unclear, wrong } from '../../model/platform/check.js';
import { parseJson } from '../../model/text/json.js';
import { type Asked, redirectTarget, said, unreadable } from '../asked.js';
import type { Answer } from '../wire/exchange.js';
import { statusKind } from '../wire/status-kind.js';
import type { FreeCall } from './free-calls.js';

/** A page is what a server answers at a path that is not the API's, whatever its status. */
const PAGE = /^\s*</;

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
      // An id that cannot be one may be refused for its form, at the right place.
      return (call.expected.length === 0 ? wrong : unclear)(what, [call.pathKey]);
    case 'broken':
      return wrong(`${what}: an error of the platform; check again later`, []);
  }
}
