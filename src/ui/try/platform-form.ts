// The form for the address of the platform and the account there: it makes `.env`. A secret that was sent is on no page.
import {
  createEnvFile,
  ENV_FILE,
  PLATFORM_VARIABLES,
  refusalOfEnvFile,
} from '../../app/settings/env-file.js';
import { html } from '../../html/markup.js';
import { commandLine } from '../../html/parts.js';
import { wrongUse } from '../../model/errors.js';
import type { Action } from '../action.js';
import type { UiContext } from '../page.js';
import { PATHS, pathTo } from '../paths.js';

const FIELDS = {
  SLUICE_URL: { label: 'Base address', type: 'url', hint: 'Like https://host/path' },
  SLUICE_USERNAME: { label: 'User name', type: 'text' },
  SLUICE_PASSWORD: { label: 'Password', type: 'password' },
  SLUICE_API_KEY: { label: 'Key, for a job whose dialect asks for one', type: 'password' },
} as const;

const LINES = PLATFORM_VARIABLES.map((name) => `${name}=…`).join('\n');

export const platformAction: Action = {
  path: PATHS.platform,
  ask: async (context, { query }) => {
    const refusal = refusalOf(context);
    const isTaken = refusal === null;
    return {
      title: 'The platform, and your account there',
      sentences: [
        refusal ??
          `They are written into a new file ${ENV_FILE} in ${process.cwd()}, which only you may read. No page shows them again.`,
      ],
      cost: 'nothing: nothing is sent.',
      facts: !isTaken && html`<div>${commandLine(LINES)}</div>`,
      choices: isTaken
        ? PLATFORM_VARIABLES.map((name) => ({ name, ...FIELDS[name], value: null }))
        : [],
      button: isTaken ? `Write ${ENV_FILE}` : null,
      back: backOf(query),
    };
  },
  perform: async (context, { form, query }) => {
    const refusal = refusalOf(context);
    if (refusal !== null) throw wrongUse(`Nothing was written. ${refusal}`);
    createEnvFile((name) => form.get(name) || undefined);
    return {
      title: 'The platform is known',
      sentences: [
        `${ENV_FILE} was written. Keep it out of version control. "sluice doctor" checks whether the platform takes the account.`,
      ],
      links: [{ path: backOf(query), text: 'Go on' }],
    };
  },
};

function refusalOf({ takesAccount }: UiContext): string | null {
  if (takesAccount) return refusalOfEnvFile();
  return `An account is taken only by pages that this machine alone can reach, by their link, and never with --read-only. Set these in the environment, or in the file ${ENV_FILE}.`;
}

/** The page of the dropped file from which the user came. */
function backOf(query: URLSearchParams): string {
  const upload = query.get('upload');
  return upload === null ? PATHS.drop : pathTo(PATHS.columns, { upload });
}
