// sluice draft CONTACT DRAFT: reads one draft of an inbox conversation, and prints its head, then its content without
// HTML.
import { convert } from 'html-to-text';
import type { Draft } from '../../../model/resources/resources.js';
import { isJsonObject, type JsonValue } from '../../../model/text/json.js';
import { printableLines } from '../../../model/text/printable.js';
import type { Page } from '../../../tell/page.js';
import { notes } from '../../../tell/shared.js';
import { needed, toggle } from '../../options.js';
import { platformCommand } from '../../platform-command.js';

export const draftCommand = platformCommand({
  args: { contact: needed('Id of the contact'), draft: needed('Id of the draft (drf_…)') },
  options: {
    owner: needed('Whose draft: a user id (usr_…) or the e-mail of a login, of your team'),
    html: toggle('Print its content alone, as it is'),
  },
  examples: { 'sluice draft ctc_1 drf_2 --owner ada@example.com --html': 'Its content as it is' },
  ask: ({ platform }, { contact, draft, owner }) => platform.readDraft(contact, draft, owner),
  handler: (draft, { html }) => {
    if (!html) return tellDraft(draft);
    console.log(shownHtml(draft.content ?? '', process.stdout.isTTY));
    return undefined;
  },
});

const WIDTH = 80;
/** No e-mail is longer or nested deeper. The rest becomes `…`, since reading on could take minutes. */
const LIMITS = { maxInputLength: 200_000, maxDepth: 100, ellipsis: '…' };

export function tellDraft(draft: Draft): Page {
  const head = [
    ['Subject', draft.subject],
    ['Channel', draft.channel],
    ['Cc', draft.cc.length === 0 ? undefined : draft.cc.map(ccText).join(', ')],
    ['Attachments', draft.attachments.length === 0 ? undefined : String(draft.attachments.length)],
    ['Updated', draft.updatedAt ?? draft.createdAt],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const lines = convert(draft.content ?? '', { wordwrap: WIDTH, limits: LIMITS }).split('\n');
  return {
    title: draft.subject ?? 'A draft',
    parts: notes(...head, '', ...lines),
    data: new Map(Object.entries(draft)),
  };
}

/** The content as it is; for a terminal without control characters, except line breaks and tabs. */
export function shownHtml(content: string, isTerminal: boolean): string {
  return isTerminal ? printableLines(content) : content;
}

/** An item of `cc`. The platform's documentation shows no example, so an unknown shape is printed as it is. */
function ccText(item: JsonValue): string {
  if (typeof item === 'string') return item;
  if (!isJsonObject(item)) return JSON.stringify(item);
  const { address, name } = item;
  if (typeof address !== 'string') return JSON.stringify(item);
  return typeof name === 'string' && name !== '' ? `${name} <${address}>` : address;
}
