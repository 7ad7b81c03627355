// A draft as people read it: its head, then its content without the HTML around it.
import { convert } from 'html-to-text';
import type { Draft } from '../domain/draft.js';
import { printable } from './summary.js';

const WIDTH = 80;

export function draftText(draft: Draft): string {
  const head = [
    ['Subject', draft.subject],
    ['Channel', draft.channel],
    ['Cc', draft.cc.length === 0 ? undefined : JSON.stringify(draft.cc)],
    ['Attachments', draft.attachments.length === 0 ? undefined : String(draft.attachments.length)],
    ['Updated', draft.updatedAt ?? draft.createdAt],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${printable(value)}`]));
  const lines = convert(draft.content ?? '', { wordwrap: WIDTH }).split('\n');
  return [...head, '', ...lines.map(printable)].join('\n');
}
