// sluice draft CONTACT DRAFT: reads one draft of an inbox conversation, and prints its head, then its content without
// HTML.
import { convert } from 'html-to-text';
import { askPlatform } from '../../../app/platform/ask-platform.js';
import type { Draft } from '../../../model/resources/resources.js';
import { isJsonObject, type JsonValue } from '../../../model/text/json.js';
import { printable, printableJson, printableLines } from '../../../model/text/printable.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { needed, PLATFORM_OPTIONS } from '../../options.js';

export const draftCommand = command({
  args: { contact: needed('Id of the contact'), draft: needed('Id of the draft (drf_…)') },
  options: {
    owner: needed('Whose draft: a user id (usr_…) or the e-mail of a login, of your team'),
    as: {
      choices: ['text', 'html', 'json'] as const,
      default: 'text' as const,
      describe: 'How to print it',
    },
    ...PLATFORM_OPTIONS,
  },
  examples: {
    'sluice draft ctc_1 drf_2 --owner ada@example.com --as html': 'Its content as it is',
  },
  handler: async (args) => {
    const { contact, draft: id, owner } = args;
    const draft = await askPlatform(args, commandEnvironment(), ({ platform }) =>
      platform.readDraft(contact, id, owner),
    );
    const text = {
      json: () => printableJson(JSON.stringify(draft)),
      html: () => shownHtml(draft.content ?? '', process.stdout.isTTY),
      text: () => draftText(draft),
    };
    console.log(text[args.as]());
  },
});

const WIDTH = 80;
/** No e-mail is longer or nested deeper. The rest becomes `…`, since reading on could take minutes. */
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
