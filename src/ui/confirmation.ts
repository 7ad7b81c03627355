// The pages before and after an action: nothing is done by one click, and the first page says what it may cost.
import { type Content, html, type Markup } from '../html/markup.js';
import { commandLine, notice } from '../html/parts.js';

export type Choice =
  | {
      readonly kind: 'check';
      readonly name: string;
      readonly label: string;
      readonly hint?: string;
      readonly isChecked: boolean;
    }
  | {
      readonly kind: 'number';
      readonly name: string;
      readonly label: string;
      readonly hint?: string;
      /** The value; empty if it is null. */
      readonly value: number | null;
      readonly isRequired: boolean;
    };

export interface Confirmation {
  /** The question. */
  readonly title: string;
  /** Sentences about what happens. */
  readonly sentences: readonly string[];
  /** A sentence about the cost. */
  readonly cost: string;
  /** Names with their numbers, such as a forecast. */
  readonly facts?: Content;
  readonly choices: readonly Choice[];
  /** The state of the subject, which the form sends back as `seen`, because it may have changed by then. */
  readonly seen?: string;
  /** The words of the button; null if the action is not possible, as the sentences say. */
  readonly button: string | null;
  readonly isDangerous: boolean;
  /** The path to which the form is sent. */
  readonly path: string;
  /** The page from which the user came. */
  readonly back: string;
}

export interface Done {
  readonly title: string;
  readonly sentences: readonly string[];
  /** A command that goes on from here. */
  readonly command?: string;
  /** The pages to go to from here, the most likely first. */
  readonly links: readonly { readonly path: string; readonly text: string }[];
}

/** The form of the action; `token` is the visit's. */
export function confirmationForm(confirmation: Confirmation, token: string): Markup {
  const { back, button, choices, cost, facts, isDangerous, path, seen, sentences, title } =
    confirmation;
  return html`<h1>${title}</h1>
<form class="stack" method="post" action="${path}">
<input type="hidden" name="token" value="${token}">${
    seen !== undefined && html`<input type="hidden" name="seen" value="${seen}">`
  }
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${notice(isDangerous ? 'warn' : 'idle', html`<p><strong>Cost:</strong> ${cost}</p>`)}
${facts}
${choices.map(choiceField)}
<div class="row">${
    button !== null &&
    html`<button type="submit" class="${isDangerous ? 'danger' : 'main'}">${button}</button>`
  }<a class="button" href="${back}">Back</a></div>
</form>`;
}

function choiceField(choice: Choice): Markup {
  const { hint, kind, label, name } = choice;
  const id = `choice-${name}`;
  const about = hint !== undefined && html`<div class="hint" id="${id}-hint">${hint}</div>`;
  const described = hint !== undefined && html` aria-describedby="${id}-hint"`;
  if (kind === 'check') {
    return html`<div class="field"><label class="row" for="${id}"><input type="checkbox" id="${id}" name="${name}" value="yes"${
      choice.isChecked && html` checked`
    }${described}>${label}</label>${about}</div>`;
  }
  return html`<div class="field"><label for="${id}">${label}</label><input type="number" id="${id}" name="${name}" min="0" step="any" inputmode="decimal" value="${choice.value}"${
    choice.isRequired && html` required`
  }${described}>${about}</div>`;
}

/** The page after an action. */
export function doneMessage({ command, links, sentences, title }: Done): Markup {
  return html`<h1>${title}</h1><div class="stack">${sentences.map((sentence) => html`<p>${sentence}</p>`)}${
    command !== undefined && commandLine(command)
  }<div class="row">${links.map(
    ({ path, text }, n) => html`<a class="button${n === 0 && ' main'}" href="${path}">${text}</a>`,
  )}</div></div>`;
}
