// The beginning and the end of every report: a file that loads nothing and runs no script.
import { createHash } from 'node:crypto';
import { type Content, html, type Markup } from '../markup.js';
import { STYLE, STYLE_ELEMENT } from '../style.js';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export interface FramedReport {
  readonly title: string;
  readonly body: Content;
  /** The time at which it was written. */
  readonly written: Content;
  /** Further sentences; each begins with a blank. */
  readonly more?: Content;
}

export function reportFrame({ body, more, title, written }: FramedReport): Markup {
  const policy = html`default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="sluice report"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>${title}</title>${STYLE_ELEMENT}</head><body><main>${body}</main><footer><p>Written by Sluice at ${written}. Times are in UTC. This file needs no network.${more}</p></footer></body></html>
`;
}
