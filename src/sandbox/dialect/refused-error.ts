/** What a client wrote cannot be said in the dialect; answered 400 with this sentence. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly statusCode = 400;
}
