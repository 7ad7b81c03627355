// A draft as people read it: its head, then its content without the HTML around it.
import { convert } from 'html-to-text';
import type { Draft } from '../../model/platform/resources.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import { printable, printableLines } from '../../model/text/printable.js';

const WIDTH = 80;
/** No e-mail is longer or nested deeper; beyond it stands `…`, lest reading it takes minutes. */
const LIMITS = { maxInputLength: 200_000, maxDepth: 100, ellipsis: '…' };

export function draftText(draft: Draft): string {
  const head = [
    ['Subject', draft.subject],
    ['Channel', draft.channel],
    ['Cc', draft.cc.length === 0 ? undefined : draft.cc.map(ccText).join(', ')],
    ['Attachments', draft.attachments.length === 0 ? undefined : String(draft.attachments.length)],
    ['Updated', draft.updatedAt ?? draft.createdAt],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${printable(value)}`]));
  const lines = convert(draft.content ?? '', { wordwrap: WIDTH, limits: LIMITS }).split('\n');
  return [...head, '', ...lines.map(printable)].join('\n');
}

/** The content as it is; for a terminal without what could steer it, but for line breaks and tabs. */
export function shownHtml(content: string, isTerminal: boolean): string {
  return isTerminal ? printableLines(content) : content;
}

/** An item of `cc`; the platform's document does not show one, so any other shape is told as it is. */
function ccText(item: JsonValue): string {
  if (typeof item === 'string') return item;
  if (!isJsonObject(item)) return JSON.stringify(item);
  const { address, name } = item;
  if (typeof address !== 'string') return JSON.stringify(item);
  return typeof name === 'string' && name !== '' ? `${name} <${address}>` : address;
}
