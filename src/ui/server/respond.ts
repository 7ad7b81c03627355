// Sends an answer, with the headers that keep a browser from doing more with a page than show it.
import type { FastifyReply } from 'fastify';
import type { Answer } from './routes.js';

/** No inline script or style, nothing from elsewhere, and no frame. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  // Not "no-referrer", under which browsers send "Origin: null" with a form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

export const NOT_KEPT = { ...HEADERS, 'cache-control': 'no-store' } as const;
/** The address of such a file has a digest of it. */
export const KEPT = {
  ...HEADERS,
  'cache-control': 'private, max-age=31536000, immutable',
} as const;

export interface Asset {
  /** Like `text/css; charset=utf-8`. */
  readonly type: string;
  readonly body: string;
}

export function sendDocument(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}

/** `onTrouble` is told if a file breaks off although the browser has not gone. */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer,
  { gone, onTrouble }: { readonly gone: AbortSignal; readonly onTrouble: (error: unknown) => void },
): FastifyReply {
  switch (answer.kind) {
    case 'page':
      return sendDocument(reply, answer.status ?? 200, answer.document());
    case 'goto':
      return reply.redirect(ownPath(answer.path), 303);
    case 'download': {
      const name = encodeURIComponent(answer.name.toWellFormed()).replace(/['()*]/g, escape);
      return reply
        .type(answer.type)
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .send(answer.body.on('error', (error) => void (gone.aborted || onTrouble(error))));
    }
  }
}

/** `//elsewhere` would be another server. */
function ownPath(path: string): string {
  return /^\/(?![/\\])/.test(path) ? path : '/';
}
