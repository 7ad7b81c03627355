// By what a report is known again: alone, so that who looks at a file need not load what draws one.
import { html } from '../markup.js';

export const REPORT_SIGN_ELEMENT = html`<meta name="generator" content="sluice report">`;

/** What the first bytes of every report hold. */
export const REPORT_SIGN = String(REPORT_SIGN_ELEMENT);
