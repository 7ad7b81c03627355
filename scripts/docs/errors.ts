// docs/reference/errors.md: every error code, what it means and what to do about it.

import { EXIT, exitCodeOfError } from '../../src/cli/exit-codes.js';
import type { ErrorCode } from '../../src/model/errors.js';
import { table } from './markdown.js';

interface Meaning {
  readonly means: string;
  readonly todo: string;
}

const MEANINGS: Readonly<Record<ErrorCode, Meaning>> = {
  usage: {
    means:
      'The command, the job file, the dialect or the environment says something that cannot be.',
    todo: 'Change what the sentence names. Nothing was sent.',
  },
  input: {
    means: 'A file of leads cannot be read, or not to its end.',
    todo: 'Fix or name the file, and start the command again. What was read is kept.',
  },
  platform: {
    means:
      'The platform cannot be reached, refuses the credentials, has no credits left, or answers what is not the protocol.',
    todo: 'Ask `sluice doctor`, or hold the dialect against recorded calls (`sluice dialect check --transcript`) where the answers look different. Then start the run again: it continues.',
  },
  store: {
    means: 'The state cannot be opened, read or written.',
    todo: 'Free the disk, fix the permissions, or restore a [backup](../keeping.md). Then start the run again: it continues.',
  },
  output: {
    means: 'A table could not be written. The one that was there before is as it was.',
    todo: 'Clear the cause, then `sluice export`. Nothing is asked or paid again.',
  },
  budget: {
    means: 'One more request could have passed the budget of the run.',
    todo: 'Raise `budget` and start the run again, or leave it. What was paid for is in the table.',
  },
  cap: {
    means: 'One more request could have passed a cap on what a day or a month may cost.',
    todo: 'Start the run again once the next period begins, as the next night does, or raise the cap. What was paid for is in the table.',
  },
  'hit-rate': {
    means: 'Of the first leads the platform found less than `stop-below` wants.',
    todo: 'Ask another platform, or lower or remove `stop-below` and start the run again. What was paid for is in the table.',
  },
  cancelled: {
    means: 'The run was cancelled with `sluice cancel`.',
    todo: 'Start the job again, which makes a new run. What was paid for serves it.',
  },
  paused: {
    means: 'The job was paused with `sluice pause`.',
    todo: '`sluice resume`, then start the job again.',
  },
  busy: {
    means: 'Another process has the job, or the listener, of this state.',
    todo: 'Wait for it to end; nothing has to be cleared away. A script may try again later.',
  },
};

/** The page, whole. */
export function renderErrorsDoc(): string {
  const rows = (Object.keys(MEANINGS) as ErrorCode[]).map((code) => [
    `\`${code}\``,
    String(exitCodeOfError(code)),
    MEANINGS[code].means,
    MEANINGS[code].todo,
  ]);
  const bug = [
    '`bug`',
    String(EXIT.bug),
    'Something that must not happen. All that was committed is in the state.',
    'Start the run again, and report what was printed.',
  ];
  return `# Error codes

Made from \`scripts/docs/errors.ts\` by \`npm run generate\`.

An error is one sentence on standard error: what failed, on which file, line or id, and what to do. With
\`--json\` it is one object, whose \`code\` a script can rely on, and whose \`message\` it cannot:

\`\`\`json
{"error":{"code":"usage","message":"There is no job file jobs/nigthly.yaml; …","exit_code":2}}
\`\`\`

From code, it is a \`SluiceError\` with the same \`code\` and \`message\`; a \`bug\` is any other error.

${table(['code', 'exit code', 'what it means', 'what to do'], [...rows, bug])}

What a single lead can meet is no error but a status in its row: [columns](../columns.md).
[Troubleshooting](../troubleshooting.md) goes from what you see to what to do.
`;
}
