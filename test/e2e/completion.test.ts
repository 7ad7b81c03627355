// Completion as a shell asks for it: by the protocol, and by the script in a real bash.
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MAIN } from '../helpers/command-line.js';
import { isLong } from '../helpers/long.js';
import { openWorkdir } from '../helpers/workdir.js';

const workdir = openWorkdir()
  .write('jobs/nightly.yaml', 'input: leads.csv')
  .write('jobs/weekly.yml', 'input: leads.csv')
  .write('jobs/job.schema.json', '{}')
  .write('jobs/$(touch planted).yaml', '')
  .write('jobs/`touch planted`.yaml', '');

/** What is offered after these words, the last of them begun. */
async function offers(words: readonly string[], shell = 'bash'): Promise<string[]> {
  const args = ['--get-yargs-completions', 'sluice', ...words];
  const { code, stdout, stderr } = await workdir.sluice(args, { env: { SHELL: shell } });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((offer) => offer !== '');
}

describe('what is offered', () => {
  it('is every command at first, and those below a command of commands', async () => {
    const commands = await offers(['']);
    expect(commands).toEqual(expect.arrayContaining(['run', 'enrich', 'sandbox', 'completion']));
    expect(commands).not.toContain('yargs-completion');
    expect(await offers(['hooks', ''])).toEqual(['add', 'list', 'remove', 'rotate']);
  });

  it('is the options of a command once a dash is typed, also where they are loaded late', async () => {
    const options = await offers(['run', 'nightly', '--']);
    expect(options).toEqual(expect.arrayContaining(['--fresh-for', '--quiet', '--help']));
    expect(options.filter((option) => option.length < 4)).toEqual([]);
    expect(await offers(['status', '--'])).toContain('--watch');
  });

  it('is a job where a job is wanted, and nothing where a file is', async () => {
    for (const command of ['run', 'plan', 'doctor', 'pause', 'resume']) {
      expect(await offers([command, ''])).toEqual(['nightly', 'weekly']);
    }
    expect(await offers(['run', 'nightly', ''])).toEqual([]);
    expect(await offers(['enrich', ''])).toEqual([]);
  });

  it('has its meaning beside it where the shell can show that', async () => {
    expect(await offers(['status', '--w'], 'fish')).toContain(
      '--watch\tLook again while the run goes on; Ctrl+C stops it',
    );
    expect(await offers(['status', '--w'], 'zsh')).toContain(
      '--watch:Look again while the run goes on; Ctrl+C stops it',
    );
  });
});

it.runIf(isLong)('completes in a bash that has sourced the script', async () => {
  writeFileSync(workdir.at('sluice'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(workdir.at('sluice'), 0o755);
  const script = `
    source <(sluice completion bash) && complete -p sluice
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); COMPREPLY=(); _sluice; echo "\${COMPREPLY[*]}"; }
    try sluice stat; try sluice run ''; try sluice run ni; try sluice run nightly --resend; try sluice completion ''`;
  const PATH = `${workdir.path}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    cwd: workdir.path,
    env: { PATH },
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    'complete -o bashdefault -o default -F _sluice sluice',
    'status state',
    'nightly weekly',
    'nightly',
    '--resend-uncertain',
    'bash zsh fish',
    '',
  ]);
  expect(workdir.has('planted')).toBe(false);
});

it('gives a shell nothing to run, whatever is offered', async () => {
  const command = `#!/bin/sh\necho '$(touch planted)'; echo '\`touch planted\`'\n`;
  const script = `source <(node "${MAIN}" completion bash); COMP_WORDS=(sluice ''); COMP_CWORD=1; _sluice; echo "\${#COMPREPLY[@]}"`;
  const dir = openWorkdir().write('sluice', command);
  chmodSync(dir.at('sluice'), 0o755);
  const PATH = `${dir.path}${delimiter}${process.env['PATH'] ?? ''}`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    cwd: dir.path,
    env: { PATH },
  });
  expect(stdout).toBe('2\n');
  expect(dir.has('planted')).toBe(false);
});

it('has a script for each shell, and says which there are', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await workdir.sluice(`completion ${shell}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`SHELL=${shell} sluice --get-yargs-completions`);
  }
  expect(await workdir.refusal('completion ksh')).toBe(
    'shell cannot be "ksh": it is one of "bash", "zsh", "fish". "sluice completion --help" says more.',
  );
});
