// sluice forget: removes people from the state file for good.
import { command, JSON_OPTION, STATE_OPTION, TEXT } from '../../command.js';

interface ForgetArguments {
  email: string[] | undefined;
  domain: string[] | undefined;
  url: string[] | undefined;
  yes: boolean;
  state: string | undefined;
  json: boolean;
}

export const forgetCommand = command<ForgetArguments>({
  command: 'forget',
  describe: 'Remove a person, or everybody of a domain, from the state file for good',
  builder: (yargs) =>
    yargs
      .options({
        email: { ...TEXT, array: true, describe: 'Whoever has this address; may be repeated' },
        domain: { ...TEXT, array: true, describe: 'Everybody of this domain; may be repeated' },
        url: { ...TEXT, array: true, describe: 'Whoever has this profile; may be repeated' },
        yes: { type: 'boolean', default: false, describe: 'Do it without asking' },
        ...STATE_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 forget --email ada@example.com', 'Show what there is, and ask')
      .example('$0 forget --domain example.com --yes', ''),
  handler: async (args) => {
    const { withState } = await import('../../open-state.js');
    const { confirm } = await import('../../ask/confirm.js');
    const { forgetPerson } = await import('../../../app/state/forget-person.js');
    const { SluiceError } = await import('../../../model/errors.js');
    const { forgetJson, forgottenLines, isNothing, whatThereIs } = await import(
      '../../print/reports/print-forgotten.js'
    );
    await withState(args.state, async (store, path) => {
      const wish = { emails: args.email ?? [], domains: args.domain ?? [], urls: args.url ?? [] };
      if (!args.yes) {
        const known = await forgetPerson(store, wish, false);
        if (isNothing(known)) {
          console.log(args.json ? forgetJson(known) : forgottenLines(known, path).join('\n'));
          return;
        }
        const isSure = await confirm(`Remove ${whatThereIs(known)} from ${path} for good?`);
        if (isSure === false) {
          console.log(args.json ? forgetJson(known) : 'Nothing was removed.');
          return;
        }
        if (isSure === undefined) {
          throw new SluiceError(
            'usage',
            `Nothing was removed. ${path} holds ${whatThereIs(known)}: say --yes to remove them.`,
            { leads: known.leads, enrichments: known.enrichments },
          );
        }
      }
      const report = await forgetPerson(store, wish, true);
      if (!report.isErased) {
        throw new SluiceError(
          'store',
          `They are removed from ${path}, but another process was reading it all the while, so that traces may be left on the disk. Run the same command again.`,
          { path },
        );
      }
      if (args.json) console.log(forgetJson(report));
      else for (const line of forgottenLines(report, path)) console.log(line);
    });
  },
});
