// Every exit code, in one place. docs/exit-codes.md is made from this table.
import { type ErrorCode, SluiceError } from '../model/errors.js';

export const EXIT = {
  ok: 0,
  unanswered: 1,
  usage: 2,
  input: 3,
  platform: 4,
  store: 5,
  budget: 6,
  cancelled: 7,
  paused: 8,
  bug: 70,
  busy: 75,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'Every lead is answered: found, not_found or (not all of them) skipped; or a drop folder has nothing new. A closed pipe (`| head`) counts as success.',
  unanswered:
    'The run finished, but some leads are failed, timed_out or uncertain, or all of them are skipped. Of `sluice schema --check`: something has changed. Of `sluice dialect check`: a call did not answer as the dialect says. Of `sluice doctor`: a check failed. Of `sluice status --watch`: no process works on the run, which has not ended.',
  usage: 'The command, the job file or the configuration is wrong. Nothing was sent.',
  input: 'The input cannot be read.',
  platform:
    'The platform refused the credentials, could not be reached, is out of credits, or does not speak the protocol. Everything so far is saved; run again to continue.',
  store: 'The state file or the output cannot be written or read. Run again to continue.',
  budget:
    'Going on could have cost more than the budget. Everything so far is saved; raise it and run again to continue.',
  cancelled:
    'The run was cancelled (sluice cancel). What was paid for is saved, and serves the next run.',
  paused:
    'The job is paused (sluice pause): nothing new was sent, and what was paid for is collected and saved. Resume it and run again to continue.',
  bug: 'A bug in Sluice. Everything committed so far is in the state file.',
  busy: 'Another process is working on the same job with the same state file.',
  hungUp: 'The terminal was closed (SIGHUP). Everything so far is saved; run again to continue.',
  interrupted: 'Interrupted (Ctrl+C). Everything so far is saved; run again to continue.',
  terminated: 'Terminated (SIGTERM). Everything so far is saved; run again to continue.',
};

const OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  usage: EXIT.usage,
  input: EXIT.input,
  platform: EXIT.platform,
  store: EXIT.store,
  output: EXIT.store,
  budget: EXIT.budget,
  cancelled: EXIT.cancelled,
  paused: EXIT.paused,
  busy: EXIT.busy,
};

/** The exit code for whatever ended a command early. */
export function exitCodeOf(error: unknown): number {
  return error instanceof SluiceError ? exitCodeOfError(error.code) : EXIT.bug;
}

export function exitCodeOfError(code: ErrorCode): number {
  return OF_ERROR[code];
}

/** docs/exit-codes.md, whole. */
export function renderExitCodesDoc(): string {
  const rows = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map(
    (name) => `| ${EXIT[name]} | ${name} | ${EXIT_MEANINGS[name].replaceAll('|', '\\|')} |`,
  );
  return `# Exit codes

Made from \`src/cli/exit-codes.ts\` by \`npm run generate\`.

| code | name | meaning |
|---|---|---|
${rows.join('\n')}
`;
}
