// The result by ticket: one call, and the question that its answer is judged by.
import type { Inputs } from '../domain/ask.js';
import type { Permit, ReadAnswer } from '../domain/ports/platform.js';
import { openTicket } from './batch-ticket.js';
import { isResult, judgeRead } from './judge-read.js';
import type { Wire } from './wire.js';

/** As `Platform.read`. */
export async function readTicket(
  wire: Wire,
  ticket: string,
  permit: Permit,
  signal?: AbortSignal,
  inputs: Inputs = {},
): Promise<ReadAnswer> {
  const { method, path, batchPath } = wire.dialect.result;
  const opened = openTicket(ticket, wire.dialect);
  const isShared = opened.digest !== undefined;
  const target = wire.pathOf(isShared ? (batchPath ?? path) : path, { id: opened.ticket });
  const question = wire.asked(target, Object.values(inputs));
  const sent = await wire.send(wire.call('result', method, target), {
    kind: 'poll',
    permit,
    signal,
    isSuccess: (answer) => isResult(answer, question),
  });
  return judgeRead(sent, opened, question);
}
