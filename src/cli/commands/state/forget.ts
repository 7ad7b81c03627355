// sluice state forget: removes people permanently from the state file. It prints counts; it names only those
// who are meant by a name, which several people may have.

import { forgetting, forgottenData, meantBy, whatThereIs } from '../../../app/state/forgetting.js';
import { checkReason } from '../../../app/state/suppress-people.js';
import { INPUTS } from '../../../model/ask.js';
import { wrongUse } from '../../../model/errors.js';
import { demandYes } from '../../ask.js';
import { parseInputs } from '../../job-flags.js';
import { stateCommand } from '../../open-state.js';
import { text, toggle } from '../../options.js';
import { PERSON } from './suppress.js';

export const forgetCommand = stateCommand({
  command: 'forget <person..>',
  describe: 'Remove a person, or all people of a domain, permanently from the state',
  args: {
    person: {
      ...PERSON,
      describe:
        'email=…, socialUrl=…, or lastName=… with firstName=… and companyDomain=… or companyName=…: a person; companyDomain=… alone: everybody of a domain',
    },
  },
  options: {
    suppress: toggle('Never ask for them again either'),
    reason: text('Why they are suppressed, for the rows of their leads'),
    yes: toggle('Do it without asking'),
  },
  examples: {
    'sluice state forget email=ada@example.com': 'Show what there is, and ask',
    'sluice state forget firstName=Ada lastName=Lovelace companyDomain=engines.example': '',
    'sluice state forget email=ada@example.com --yes --suppress --reason "asked us to"': '',
    'sluice state forget companyDomain=example.com --yes': '',
  },
  // Checked before anything is removed.
  prepare: ({ person: words, reason = '', suppress }) => {
    const given = parseInputs('state forget', { inputs: INPUTS, value: 'VALUE' }, words);
    if (!suppress && reason !== '') {
      throw wrongUse('--reason says why they are suppressed: add --suppress.');
    }
    return { ...meantBy(given, suppress), reason: suppress ? checkReason(reason) : undefined };
  },
  handler: async ({ yes: isAgreed }, store, state, { person, reason, wish }) => {
    const of = { store, state, ...wish };
    const { canBe, known, sentences: meant, title } = await forgetting.ask(of);
    if (canBe && !isAgreed) {
      for (const line of meant) console.error(line);
      const refusal = `Nothing was removed. ${state} holds ${whatThereIs(known)}. To remove them, repeat this with --yes.`;
      if (!(await demandYes(title, refusal))) {
        return { data: forgottenData(known, null), lines: 'Nothing was removed.' };
      }
    }
    const done = await forgetting.perform(of, { person, reason, isAgreed }, known);
    return { data: done.data, lines: done.sentences };
  },
});
