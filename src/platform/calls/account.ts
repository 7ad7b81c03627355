// The question that costs nothing and shows, before anything is paid for, whether the address, the credentials and the
// protocol are right; and the balance of the account. The question is the account's if a dialect describes one, else
// the people schema; a dialect may have neither.
import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import { fromThousandths, toThousandths } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { parseJson } from '../../model/text/json.js';
import type { StatusKind } from '../answers/status-kind.js';
import { firstValueIn } from '../answers/ticket.js';
import type { Answer, AnswerHead } from '../wire/exchange.js';
import type { Wire } from '../wire/wire.js';
import { askRepeatedly, type Question } from './ask-free.js';
import { isPeopleSchema, schemaQuestion } from './people-schema.js';

export function hasFreeQuestion({ account, peopleSchema }: Dialect): boolean {
  return account !== null || peopleSchema !== null;
}

/**
 * As `Platform.check`. Any JSON shows that the account is right; of a people schema either half suffices. Asks nothing
 * if the dialect has no free question.
 * @throws SluiceError `platform`
 */
export async function checkPlatform(wire: Wire, signal?: AbortSignal): Promise<boolean> {
  if (!hasFreeQuestion(wire.dialect)) return false;
  return askRepeatedly(wire, signal, {
    ...checkQuestion(wire),
    readError: (kind, answer) => (saysNothing(kind, answer) ? { value: false } : undefined),
  });
}

/** No document promises the free question to every account: paid calls may work all the same. */
export function saysNothing(kind: StatusKind, { status }: AnswerHead): boolean {
  return kind === 'missing' || kind === 'misplaced' || status === 403;
}

export function checkQuestion(wire: Wire): Question<boolean> {
  if (wire.dialect.account === null) {
    return schemaQuestion(wire, (body) => isPeopleSchema(body) || undefined);
  }
  const isThere = (answer: Answer): boolean =>
    parseJson(answer.text) !== undefined || balanceIn(answer, wire.dialect) !== undefined;
  return accountQuestion(wire, (answer) => isThere(answer) || undefined, 'without JSON');
}

/** @throws SluiceError `usage` if the dialect has no balance; `platform` */
export async function readBalance(wire: Wire, signal?: AbortSignal): Promise<number> {
  if (demandCalls(wire.dialect, 'account').credits.length === 0) {
    const message =
      'This platform\'s dialect says nothing of a balance: "account.credits" names no place in the answer.';
    throw new SluiceError('usage', message);
  }
  const read = (answer: Answer) => balanceIn(answer, wire.dialect);
  return askRepeatedly(wire, signal, accountQuestion(wire, read, 'without a number of credits'));
}

function accountQuestion<T>(
  wire: Wire,
  read: (answer: Answer) => T | undefined,
  lack: string,
): Question<T> {
  const path = wire.pathOf(demandCalls(wire.dialect, 'account').path);
  return { route: 'account', method: 'GET', path, read, lack };
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,20})?$/;

/** The credits that are left, by thousandths; undefined if there is no number. */
function balanceIn(answer: Answer, dialect: Dialect): number | undefined {
  const value = firstValueIn(answer, demandCalls(dialect, 'account').credits);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return undefined;
  return fromThousandths(toThousandths(Number(text)));
}
