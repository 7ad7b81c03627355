// Forgetting people, as "sluice state forget" does: the inputs that name them, what is known, and a form that removes it.
import { forgetting, meantBy } from '../../app/state/forgetting.js';
import { html } from '../../html/markup.js';
import { INPUTS, type Inputs } from '../../model/ask.js';
import { INPUT_WORDS } from '../../tell/shared.js';
import type { Action } from '../action.js';
import type { PageContent, Visit } from '../page.js';
import { PATHS } from '../paths.js';
import { textIn } from '../read-query.js';

export const forgetAction: Action = {
  path: PATHS.forget,
  ask: async ({ state, store }, visit) => {
    const given = peopleIn(visit);
    if (Object.keys(given).length === 0) return whoPage();
    const asked = await forgetting.ask({ store, state, ...meantBy(given, false).wish });
    const suppress = {
      name: 'suppress',
      label: 'Never ask for them again either',
      isChecked: false,
    };
    return {
      ...asked,
      title: asked.canBe ? asked.title : 'Nothing to forget',
      choices: asked.canBe ? [suppress] : [],
      button: asked.canBe ? 'Remove it permanently' : null,
      back: PATHS.forget,
    };
  },
  perform: async ({ state, store }, visit) => {
    const isSuppressed = visit.form.has('suppress');
    const { person, wish } = meantBy(peopleIn(visit), isSuppressed);
    const of = { store, state, ...wish };
    const { known } = await forgetting.ask(of);
    const reason = isSuppressed ? '' : undefined;
    const done = await forgetting.perform(of, { person, reason, isAgreed: false }, known);
    return { ...done, links: [{ path: PATHS.runs, text: 'Runs' }] };
  },
};

function peopleIn(visit: Visit): Inputs {
  const given = INPUTS.map((input) => [input, textIn(visit, input)?.trim()] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== undefined && text !== ''));
}

function whoPage(): PageContent {
  const title = 'Forget people';
  const fields = INPUTS.map(
    (input) =>
      html`<div class="field"><label for="${input}">${INPUT_WORDS[input]}</label><input id="${input}" name="${input}" maxlength="500" autocomplete="off"></div>`,
  );
  const body = html`<h1>${title}</h1>
<p>An e-mail address or a profile names a person, and so do a last name and a company. A company website alone names everybody there.</p>
<form class="filters" method="get" action="${PATHS.forget}">${fields}<button class="main">See what is known</button></form>`;
  return { title, body };
}
