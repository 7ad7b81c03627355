// Bodies as JSON, whatever their content type says, and one sentence for what is none.
import type { FastifyInstance } from 'fastify';

/** For all routes of this scope; a body that is not JSON is answered 400. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new NotJsonError('The body is not JSON.'));
    }
  });
}

class NotJsonError extends Error {
  readonly statusCode = 400;
}
