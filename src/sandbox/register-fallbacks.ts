// What answers when no route does: an unknown path, a known path with another method, and an error on the way.
// Always JSON `{error: sentence}` (docs/platform-api.md, Errors).
import type { FastifyInstance } from 'fastify';
import { CONTROL_PREFIX, refuseUnauthorised } from './create-gate.js';
import type { SandboxContext } from './sandbox-context.js';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Must be called before the first route is registered: it learns the known paths as they come. */
export function registerFallbacks(app: FastifyInstance, { isAuthorised }: SandboxContext): void {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { pattern: compilePattern(url), methods: new Set() };
    for (const name of [method].flat()) path.methods.add(name);
    known.set(url, path);
  });

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const methods = findMethods(known, path);
    if (methods.length === 0) {
      return reply.code(404).send({ error: 'There is nothing at this path.' });
    }
    const isOpen = path.startsWith(CONTROL_PREFIX) || isAuthorised(request.headers.authorization);
    if (!isOpen) return refuseUnauthorised(reply);
    const allow = methods.join(', ');
    return reply
      .code(405)
      .header('allow', allow)
      .send({ error: `${request.method} is not possible here; only ${allow} is.` });
  });

  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    void reply.code(error.statusCode ?? 500).send({ error: error.message });
  });
}

// Two patterns may match one path (`/enrich/:id` and `/enrich/bulk`): both their methods are possible.
function findMethods(known: ReadonlyMap<string, KnownPath>, path: string): string[] {
  const matching = [...known.values()].filter(({ pattern }) => pattern.test(path));
  return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
}

function compilePattern(url: string): RegExp {
  const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
