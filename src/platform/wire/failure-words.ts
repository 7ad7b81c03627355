// What a failed connection means, in words for the one who has to do something about it.

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer came in time'],
  ['UND_ERR_BODY_TIMEOUT', 'the answer stopped half-way'],
  ['UND_ERR_SOCKET', 'the connection broke off'],
  ['ECONNRESET', 'the connection broke off'],
  ['EPIPE', 'the connection broke off'],
  ['UND_ERR_CLOSED', 'the connection was already closed'],
  ['UND_ERR_DESTROYED', 'the connection was already closed'],
]);

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

/** The code of a connection's failure; of the first attempt's where several addresses were tried. */
export function failureCode(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? failureCode(first) : '';
}

/** A clause such as `the connection was refused (ECONNREFUSED)`. Own errors are clauses already. */
export function describeFailure(error: Error): string {
  const code = failureCode(error);
  if (code === '') return error.message;
  if (TLS.test(code)) return `no secure connection could be made (${code})`;
  return `${WORDS.get(code) ?? 'the connection failed'} (${code})`;
}
