// The question that costs nothing and shows, before anything is paid for, whether the address, the credentials and the
// protocol are right; and the balance of the account. The question is the account's if a dialect describes one, else
// the people schema; a dialect may have neither.
import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import { fromThousandths, toThousandths } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
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
    // No document promises the call to every account: paid calls may work all the same.
    readError: (kind) =>
      kind === 'missing' || kind === 'misplaced' ? { value: false } : undefined,
  });
}

export function checkQuestion(wire: Wire): Question<boolean> {
  if (wire.dialect.account === null) {
    return schemaQuestion(wire, (body) => isPeopleSchema(body) || undefined);
  }
  return accountQuestion(wire, isThere, 'without JSON');
}

function isThere(body: JsonValue | undefined): true | undefined {
  return body === undefined ? undefined : true;
}

/** @throws SluiceError `usage` if the dialect has no balance; `platform` */
export async function readBalance(wire: Wire, signal?: AbortSignal): Promise<number> {
  if (demandCalls(wire.dialect, 'account').credits.length === 0) {
    const message =
      'This platform\'s dialect says nothing of a balance: "account.credits" names no place in the answer.';
    throw new SluiceError('usage', message);
  }
  const read = (body: JsonValue | undefined) => balanceIn(body, wire.dialect);
  return askRepeatedly(wire, signal, accountQuestion(wire, read, 'without a number of credits'));
}

function accountQuestion<T>(
  wire: Wire,
  read: (body: JsonValue | undefined) => T | undefined,
  lack: string,
): Question<T> {
  const path = wire.pathOf(demandCalls(wire.dialect, 'account').path);
  return { route: 'account', method: 'GET', path, read: ({ text }) => read(parseJson(text)), lack };
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,20})?$/;

/** The credits that are left, by thousandths; undefined if there is no number. */
function balanceIn(body: JsonValue | undefined, dialect: Dialect): number | undefined {
  const value = firstValueAt(body, demandCalls(dialect, 'account').credits);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return undefined;
  return fromThousandths(toThousandths(Number(text)));
}
