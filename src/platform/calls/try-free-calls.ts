// Tries a dialect at its platform without cost: each free question once, under the limit. Only a GET is ever sent: a
// POST may change something. If paid requests are GETs as well, their path is left alone.
import { pathsOf } from '../../dialect/forms.js';
import { type CallCheck, LIMITS_KEY, unclear } from '../../model/resources/check.js';
import { type Asked, answerProblem, problem, silenceProblem } from '../answers/problems.js';
import { type StatusKind, statusKind } from '../answers/status-kind.js';
import { judgeLimitHeaders } from '../limit/rate-headers.js';
import type { Answer, Headers } from '../wire/exchange.js';
import type { Wire } from '../wire/wire.js';
import { type FreeCall, freeCalls, judgeFreeCall } from './free-calls.js';

/** A path at which no platform has anything: its answer shows whether a 404 means anything. */
const NO_SUCH_PATH = '/sluice-check-no-such-path';

/** A 404 for an unknown path is recognised by the beginning of its body. */
const FACE_LENGTH_MAX = 64 * 1_024;

interface Tried {
  readonly call: FreeCall;
  readonly asked: Asked;
  readonly answer: Answer;
}

/** As `Platform.tryFreeCalls`. */
export async function tryFreeCalls(wire: Wire, signal?: AbortSignal): Promise<CallCheck[]> {
  const calls = freeCalls(wire);
  const tried = new Map<FreeCall, Tried>();
  for (const call of calls) {
    if (reasonNotToTry(call, wire) !== undefined) continue;
    tried.set(call, await tryCall(call, wire, signal));
    // A third request with wrong credentials would teach nothing, and may lock an account.
    if (tried.size === 2) refuseIfAll(['credentials'], [...tried.values()], wire);
  }
  refuseIfAll(['credentials', 'broken'], [...tried.values()], wire);
  const nowhere = await faceOfNowhere([...tried.values()], wire, signal);
  const checks = calls.map((call) => checkOf(call, tried.get(call), nowhere, wire));
  return tried.size === 0 ? checks : [...checks, limitCheck([...tried.values()], wire)];
}

/** The reason not to try a call, as a clause; undefined for a call that certainly costs nothing. */
function reasonNotToTry({ method, target }: FreeCall, wire: Wire): string | undefined {
  if (method !== 'GET') return `it is a ${method}, and only GETs are tried`;
  const { enrich } = wire.dialect;
  const isPaid =
    enrich?.method === 'GET' &&
    pathsOf(enrich.path).some((path) => bare(target) === bare(wire.pathOf(path)));
  return isPaid ? 'a GET of this path is the paid request' : undefined;
}

function bare(target: string): string {
  return target
    .replace(/\?.*/s, '')
    .replace(/(?<!\/)\/+$/, '')
    .toLowerCase();
}

async function tryCall(call: FreeCall, wire: Wire, signal?: AbortSignal): Promise<Tried> {
  const asked = wire.asked(call.target);
  const isSuccess = (answer: Answer) => judgeFreeCall(call, answer, asked).verdict !== 'wrong';
  const sent = await wire.sendFree(
    wire.call('dialect_check', 'GET', call.target),
    isSuccess,
    signal,
  );
  if (sent.kind !== 'answered') throw silenceProblem(sent, asked);
  return { call, asked, answer: sent };
}

/** @throws SluiceError `platform` if all answers so far are of the same one of these kinds */
function refuseIfAll(
  kinds: readonly Exclude<StatusKind, 'ok'>[],
  tried: readonly Tried[],
  { dialect }: Wire,
): void {
  const [first] = tried;
  if (first === undefined) return;
  for (const kind of kinds) {
    if (!tried.every(({ answer }) => statusKind(answer, dialect) === kind)) continue;
    const { message, facts } = answerProblem(kind, first.asked, first.answer);
    // Some gateways answer 401 and 403 at every unknown path.
    const also =
      kind === 'credentials' ? ' If they are right, check the base address and "prefix".' : '';
    throw problem(message + also, facts);
  }
}

/** The 404 of this platform for a path that does not exist; asked only if a 404 seemed right. */
async function faceOfNowhere(
  tried: readonly Tried[],
  wire: Wire,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const isInDoubt = tried.some(
    ({ call, answer }) => answer.status === 404 && call.expected.includes(404),
  );
  if (!isInDoubt) return undefined;
  const target = wire.pathOf(NO_SUCH_PATH);
  const sent = await wire.sendFree(wire.call('dialect_check', 'GET', target), () => false, signal);
  return sent.kind === 'answered' ? faceOf(sent, target) : undefined;
}

/** An answer without the parts that differ between requests: its path, ids and times. */
function faceOf({ status, text }: Answer, target: string): string {
  const [path = ''] = target.split('?');
  const body = text.slice(0, FACE_LENGTH_MAX).replaceAll(target, '').replaceAll(path, '');
  return `${status} ${body.replaceAll(/[\da-f-]{8,}|\d+/gi, '#')}`;
}

function checkOf(
  call: FreeCall,
  tried: Tried | undefined,
  nowhere: string | undefined,
  wire: Wire,
): CallCheck {
  const { key, method, path, pathKey } = call;
  const head = { key, call: `${method} ${wire.dialect.prefix}${path}` };
  const whyNot = reasonNotToTry(call, wire);
  if (tried === undefined) return { ...head, verdict: 'not_tried', says: whyNot ?? '', keys: [] };
  const finding = judgeFreeCall(call, tried.answer, tried.asked);
  const isNowhere = tried.answer.status === 404 && faceOf(tried.answer, call.target) === nowhere;
  if (finding.verdict !== 'ok' || !isNowhere) return { ...head, ...finding };
  const says = '404, and the same at a path that does not exist';
  return { ...head, ...unclear(says, ['prefix', pathKey]) };
}

/** Joins the headers of all answers: a gateway may answer some calls without the platform's headers. */
function limitCheck(tried: readonly Tried[], { dialect, clock }: Wire): CallCheck {
  const headers: Headers = Object.assign({}, ...tried.map(({ answer }) => answer.headers));
  const finding = judgeLimitHeaders(headers, dialect, clock.now());
  return { key: LIMITS_KEY, call: 'headers of the answers', ...finding };
}
