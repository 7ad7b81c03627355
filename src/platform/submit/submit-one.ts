// One enrichment in one request, with everything in the query (docs/platform-api.md, POST /enrich).

import type { Dialect } from '../../dialect/dialect.js';
import { ASKS, type EnrichmentRequest, INPUTS } from '../../model/ask.js';
import type { Permit, SubmitAnswer, SubmitOptions } from '../../ports/platform.js';
import { withQuery } from '../wire/address.js';
import type { Wire } from '../wire.js';
import { callbackWords } from './callback-words.js';
import { judgeSubmit, ticketIn } from './judge-submit.js';

/** As `Platform.submit`. */
export async function submitOne(
  wire: Wire,
  request: EnrichmentRequest,
  permit: Permit,
  { callbackUrl, signal }: SubmitOptions = {},
): Promise<SubmitAnswer> {
  const { method, path } = wire.dialect.enrich;
  const target = wire.pathOf(path);
  const hidden = [...Object.values(request.inputs), ...callbackWords(callbackUrl)];
  const question = wire.asked(target, hidden);
  const query = queryOf(request, callbackUrl, wire.dialect);
  const sent = await wire.send(wire.call('submit', method, withQuery(target, query)), {
    kind: 'submit',
    permit,
    signal,
    isSuccess: (answer) => ticketIn(answer, question) !== undefined,
  });
  return judgeSubmit(sent, question);
}

/** A flag for each ask, then the inputs, then the callback URL where there is a place for it. */
function queryOf(
  { ask, inputs }: EnrichmentRequest,
  callbackUrl: string | undefined,
  { enrich: { parameters, flag } }: Dialect,
): (readonly [string, string])[] {
  const flags = ASKS.filter((name) => ask.includes(name)).map(
    (name) => [parameters[name], flag] as const,
  );
  const values = INPUTS.flatMap((name) => {
    const value = inputs[name];
    return value === undefined ? [] : [[parameters[name], value] as const];
  });
  const { webhookUrl } = parameters;
  const callback =
    webhookUrl === null || callbackUrl === undefined ? [] : [[webhookUrl, callbackUrl] as const];
  return [...flags, ...values, ...callback];
}
