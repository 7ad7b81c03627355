// sluice draft CONTACT DRAFT: reads one draft of an inbox conversation.
import { printableJson } from '../../../model/text/printable.js';
import { command, TEXT } from '../../command.js';
import { PLATFORM_OPTIONS, type PlatformArguments } from '../../flags/platform-flags.js';

interface DraftArguments extends PlatformArguments {
  contact: string;
  draft: string;
  owner: string;
  as: 'text' | 'html' | 'json';
}

export const draftCommand = command<Omit<DraftArguments, 'json'>>({
  command: 'draft <contact> <draft>',
  describe: 'Read a draft of an inbox conversation',
  builder: (yargs) =>
    yargs
      .positional('contact', { type: 'string', demandOption: true, describe: 'Id of the contact' })
      .positional('draft', {
        type: 'string',
        demandOption: true,
        describe: 'Id of the draft (drf_…)',
      })
      .options({
        owner: {
          ...TEXT,
          demandOption: true,
          describe: 'Whose draft: a user id (usr_…) or the e-mail of a login, of your team',
        },
        as: {
          choices: ['text', 'html', 'json'] as const,
          default: 'text' as const,
          describe: 'How to print it',
        },
        ...PLATFORM_OPTIONS,
      })
      .example('$0 draft ctc_1 drf_2 --owner ada@example.com --as html', 'Its content as it is'),
  handler: async (args) => {
    const { refuseBlank } = await import('../../flags/refuse-blank.js');
    const { contact, draft: id, owner } = args;
    refuseBlank({ 'The contact': contact, 'The draft': id, '--owner': owner });
    const { commandEnvironment } = await import('../../command-environment.js');
    const { askPlatform } = await import('../../../app/platform/ask-platform.js');
    const draft = await askPlatform(args, commandEnvironment(), ({ platform }) =>
      platform.readDraft(contact, id, owner),
    );
    switch (args.as) {
      case 'json':
        console.log(printableJson(JSON.stringify(draft)));
        break;
      case 'html': {
        const { shownHtml } = await import('../../print/draft-text.js');
        console.log(shownHtml(draft.content ?? '', process.stdout.isTTY));
        break;
      }
      case 'text': {
        const { draftText } = await import('../../print/draft-text.js');
        console.log(draftText(draft));
        break;
      }
    }
  },
});
