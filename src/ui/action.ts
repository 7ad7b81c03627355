// The actions of the pages' buttons. Each first says what it would do and cost, and is done only by the form of that
// page, so that nothing is paid for by one click.
import { runOf } from '../app/results/run-of.js';
import { type Content, html, type Markup } from '../html/markup.js';
import { notice } from '../html/parts.js';
import type { Run } from '../model/run.js';
import { buttonLink } from './links.js';
import { type Goto, type PageContent, TOKEN_FIELD, type UiContext, type Visit } from './page.js';
import { pathTo } from './paths.js';
import { numberAt } from './read-query.js';
import { droppedName } from './try/uploads.js';

export interface Action {
  /** The path, such as `/runs/:run/cancel`: GET asks, POST does. */
  readonly path: string;
  /** Says what it would do and cost, or shows why that cannot be said; changes nothing. */
  readonly ask: (context: UiContext, visit: Visit) => Promise<Confirmation | PageContent>;
  /**
   * Does it, with the form's values.
   * @throws SluiceError if it cannot be done any more
   */
  readonly perform: (context: UiContext, visit: Visit) => Promise<Done | Goto>;
}

/** @throws SluiceError `usage` if the path names no run of this state */
export function runIn({ store }: UiContext, visit: Visit): Promise<Run> {
  return runOf(store, numberAt(visit, 'run'));
}

/** The job's name for its user: that of the file that was dropped for it. */
export function called({ state }: UiContext, job: string): string {
  return droppedName(state, job) ?? job;
}

type Choice = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
} & (
  | { readonly isChecked: boolean }
  /** A number, empty if it is null; or a text. With a `type` it may be left empty, and no browser keeps it. */
  | { readonly value: number | string | null; readonly type?: 'text' | 'url' | 'password' }
);

export interface Confirmation {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly cost: string;
  readonly facts?: Content;
  readonly choices?: readonly Choice[];
  /** The state of the subject, which the form sends back as `seen`, because it may have changed by then. */
  readonly seen?: string;
  /** The words of the button; null if the action is not possible, as the sentences say. */
  readonly button: string | null;
  readonly isDangerous?: boolean;
  /** The page from which the user came. */
  readonly back: string;
}

interface Done {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The pages to go to from here, the most likely first. */
  readonly links: readonly { readonly path: string; readonly text: string }[];
}

export async function showAsking(
  { ask }: Action,
  context: UiContext,
  visit: Visit,
): Promise<PageContent> {
  const asked = await ask(context, visit);
  if ('body' in asked) return asked;
  return {
    title: asked.title,
    body: html`<h1>${asked.title}</h1>${askingForm(asked, context, visit)}`,
  };
}

/** The same within another page, behind `label`: null if it is not possible now. */
export async function askInPlace(
  { ask, path }: Action,
  label: string,
  context: UiContext,
  visit: Visit,
): Promise<Markup | null> {
  const asked = await ask(context, visit);
  if ('body' in asked || asked.button === null) return null;
  const target = pathTo(path, visit.params);
  return html`<details class="menu"><summary class="button">${label}</summary>${askingForm({ ...asked, back: null }, context, visit, target)}</details>`;
}

/** A form with one button, which does at once what it says. */
export function actionForm(
  path: string,
  words: string,
  { token }: Visit,
  fields: Readonly<Record<string, string | number>>,
  isMain = true,
): Markup {
  const hidden = Object.entries({ ...fields, [TOKEN_FIELD]: token }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${path}">${hidden}<button class="${isMain && 'main'}">${words}</button></form>`;
}

function askingForm(
  asked: Omit<Confirmation, 'back'> & { readonly back: string | null },
  context: UiContext,
  visit: Visit,
  path?: string,
): Markup {
  const { back, choices = [], cost, facts, isDangerous = false, seen, sentences } = asked;
  const button = !context.isReadOnly && asked.button;
  return html`<form class="stack" method="post"${path !== undefined && html` action="${path}"`}>
<input type="hidden" name="${TOKEN_FIELD}" value="${visit.token}">${
    seen !== undefined && html`<input type="hidden" name="seen" value="${seen}">`
  }
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${notice(isDangerous ? 'warn' : 'idle', html`<p><strong>Cost:</strong> ${cost}</p>`)}
${facts}
${choices.map(choiceField)}
<div class="row">${
    button &&
    html`<button type="submit" class="${isDangerous ? 'danger' : 'main'}">${button}</button>`
  }${back !== null && html`<a class="button" href="${back}">Back</a>`}</div>
</form>`;
}

export async function performAction(
  { perform }: Action,
  context: UiContext,
  visit: Visit,
): Promise<PageContent | Goto> {
  const done = await perform(context, visit);
  if ('goto' in done) return done;
  const links = done.links.map(({ path, text }, n) => buttonLink(path, text, n === 0));
  const sentences = done.sentences.map((sentence) => html`<p>${sentence}</p>`);
  const { title } = done;
  return {
    title,
    body: html`<h1>${title}</h1><div class="stack">${sentences}<div class="row">${links}</div></div>`,
  };
}

function choiceField(choice: Choice): Markup {
  const { hint, label, name } = choice;
  const id = `choice-${name}`;
  const about = hint !== undefined && html`<div class="hint" id="${id}-hint">${hint}</div>`;
  const described = hint !== undefined && html` aria-describedby="${id}-hint"`;
  if ('isChecked' in choice) {
    return html`<div class="field"><label class="row" for="${id}"><input type="checkbox" id="${id}" name="${name}" value="yes"${
      choice.isChecked && html` checked`
    }${described}>${label}</label>${about}</div>`;
  }
  const kind =
    choice.type !== undefined
      ? html`type="${choice.type}" size="36" autocomplete="off"`
      : typeof choice.value === 'string'
        ? html`type="text" required`
        : html`type="number" min="0" step="any" inputmode="decimal" required`;
  return html`<div class="field"><label for="${id}">${label}</label><input ${kind} id="${id}" name="${name}" value="${choice.value}"${described}>${about}</div>`;
}
