// The actions of the pages' buttons. Each first says what it would do and cost, and is done only by the form of that
// page, so that nothing is paid for by one click.
import { runOf } from '../app/results/run-of.js';
import { SluiceError } from '../model/errors.js';
import type { Run } from '../model/run.js';
import { type Confirmation, confirmationForm, type Done, doneMessage } from './confirmation.js';
import type { Gone, UiAction, UiContext, UiPage } from './page.js';
import { pathTo } from './paths.js';
import { droppedName } from './try/uploads.js';

/** The values in the action's path, decoded. */
export type Params = Readonly<Record<string, string>>;

export interface Action {
  /** The path, such as `/runs/:run/cancel`: GET asks, POST does. */
  readonly path: string;
  /** Says what it would do and cost; changes nothing. */
  readonly ask: (
    context: UiContext,
    params: Params,
    gone: AbortSignal,
  ) => Promise<Omit<Confirmation, 'path'>>;
  /**
   * Does it, with the form's values.
   * @throws SluiceError if it cannot be done any more
   */
  readonly perform: (
    context: UiContext,
    params: Params,
    form: URLSearchParams,
  ) => Promise<Done | Gone>;
}

/** The page that asks. */
export function askingPage({ ask, path }: Action): UiPage {
  return {
    path,
    load: async (context, { gone, params, token }) => {
      const confirmation = await ask(context, params, gone);
      const { title } = confirmation;
      const button = context.isReadOnly ? null : confirmation.button;
      const shown = { ...confirmation, button, path: pathTo(path, params) };
      return { title, body: confirmationForm(shown, token) };
    },
  };
}

/** The action of its form. */
export function performing({ path, perform }: Action): UiAction {
  return {
    path,
    act: async (context, { form, params }) => {
      const done = await perform(context, params, form);
      return 'goto' in done ? done : { title: done.title, body: doneMessage(done) };
    },
  };
}

/** @throws SluiceError `usage` if the path names no run of this state */
export function runIn({ store }: UiContext, { run = '' }: Params): Promise<Run> {
  if (/^\d{1,15}$/.test(run)) return runOf(store, Number(run));
  throw new SluiceError('usage', 'A run is named by its number.');
}

/** The job's name for its user: that of the file that was dropped for it. */
export function called({ state }: UiContext, job: string): string {
  return droppedName(state, job) ?? job;
}
