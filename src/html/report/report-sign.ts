// The sign by which a report is recognised. It is a file of its own, so that a check of a file need not load the code
// that draws reports.
import { html } from '../markup.js';

export const REPORT_SIGN_ELEMENT = html`<meta name="generator" content="sluice report">`;

/** The text in the first bytes of every report. */
export const REPORT_SIGN = String(REPORT_SIGN_ELEMENT);
