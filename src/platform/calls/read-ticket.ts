// The result by ticket: one call, and the question that its answer is judged by.
import type { Inputs } from '../../model/ask.js';
import type { Permit, ReadAnswer } from '../../ports/platform.js';
import { isResult, judgeRead } from '../answers/judge-read.js';
import type { Asked } from '../answers/problems.js';
import { type OpenTicket, openTicket } from '../answers/ticket.js';
import type { Wire } from '../wire/wire.js';

interface ReadTicketOptions {
  readonly signal: AbortSignal | undefined;
  readonly inputs: Inputs | undefined;
}

/** As `Platform.read`. */
export async function readTicket(
  wire: Wire,
  ticket: string,
  permit: Permit,
  { signal, inputs }: ReadTicketOptions,
): Promise<ReadAnswer> {
  const { opened, target, question } = askFor(wire, ticket, inputs);
  const sent = await wire.send(wire.call('result', wire.dialect.result.method, target), {
    kind: 'poll',
    permit,
    signal,
    isSuccess: (answer) => isResult(answer, question),
  });
  return judgeRead(sent, opened, question);
}

/** As `Platform.reread`. */
export function rereadTicket(
  wire: Wire,
  ticket: string,
  body: string,
  inputs?: Inputs,
): ReadAnswer {
  const { opened, question } = askFor(wire, ticket, inputs);
  return judgeRead({ kind: 'answered', status: 200, headers: {}, text: body }, opened, question);
}

function askFor(
  wire: Wire,
  ticket: string,
  inputs: Inputs = {},
): { readonly opened: OpenTicket; readonly target: string; readonly question: Asked } {
  const { path, batchPath } = wire.dialect.result;
  const opened = openTicket(ticket, wire.dialect);
  const isShared = opened.digest !== undefined;
  const target = wire.pathOf(isShared ? (batchPath ?? path) : path, { id: opened.ticket });
  return { opened, target, question: wire.asked(target, Object.values(inputs)) };
}
