// Sends an answer, with the headers that keep a browser from doing more with a page than show it.
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
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

const NOT_KEPT = { ...HEADERS, 'cache-control': 'no-store' } as const;
/** The address of such a file has a digest of it. */
const KEPT = { ...HEADERS, 'cache-control': 'private, max-age=31536000, immutable' } as const;

type Extra = Readonly<Record<string, string>>;

export interface Asset {
  /** Like `text/css; charset=utf-8`. */
  readonly type: string;
  readonly body: string;
}

export function sendAsset(response: ServerResponse, { type, body }: Asset): void {
  response.writeHead(200, { ...KEPT, 'content-type': type });
  response.end(body);
}

export function sendDocument(
  response: ServerResponse,
  status: number,
  text: string,
  extra: Extra = {},
): void {
  response.writeHead(status, { ...NOT_KEPT, 'content-type': 'text/html; charset=utf-8', ...extra });
  response.end(text);
}

/** Resolves when it is sent, or the browser has gone. */
export async function sendAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  switch (answer.kind) {
    case 'page':
      return sendDocument(response, answer.status ?? 200, answer.document());
    case 'goto':
      response.writeHead(303, { ...NOT_KEPT, location: ownPath(answer.path) });
      response.end();
      return;
    case 'download': {
      const name = encodeURIComponent(answer.name.toWellFormed()).replace(/['()*]/g, escape);
      response.writeHead(200, {
        ...NOT_KEPT,
        'content-type': answer.type,
        'content-disposition': `attachment; filename*=UTF-8''${name}`,
      });
      // The next piece may take long to make. A browser that does not read the sent bytes is cut off.
      response.on('timeout', () => {
        if (response.writableLength > 0) response.destroy();
      });
      await pipeline(answer.body, response);
    }
  }
}

/** Begins a stream of events. */
export function beginStream(response: ServerResponse): void {
  // Proxies such as nginx would hold the events back.
  const extra = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
  response.writeHead(200, { ...NOT_KEPT, ...extra });
}

/** `//elsewhere` would be another server. */
function ownPath(path: string): string {
  return /^\/(?![/\\])/.test(path) ? path : '/';
}
