// sluice completion SHELL: prints the script by which a shell asks for completions; and computes the completions.
import { ownJobs } from '../../app/settings/own-job.js';
import { command } from '../command.js';

/**
 * Each asks `sluice --get-yargs-completions WORDS`; from SHELL yargs learns whether it may add a description to each
 * word.
 */
const SCRIPTS = {
  bash: `_sluice() {
  local offer
  COMPREPLY=()
  while IFS= read -r offer; do
    [[ "$offer" == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$offer")
  done < <(SHELL=bash sluice --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _sluice sluice
`,
  zsh: `#compdef sluice
_sluice() {
  local -a offers
  offers=("\${(@f)$(SHELL=zsh sluice --get-yargs-completions "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$offers" ]]; then
    _describe sluice offers
  else
    _files
  fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then
  _sluice "$@"
else
  compdef _sluice sluice
fi
`,
  fish: `complete -c sluice -a '(SHELL=fish sluice --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null)'
`,
} as const;

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completionCommand = command({
  args: { shell: { choices: SHELLS, demandOption: true, describe: 'Your shell' } },
  examples: {
    'source <(sluice completion bash)': 'In ~/.bashrc; for zsh in ~/.zshrc',
    'sluice completion fish > ~/.config/fish/completions/sluice.fish': 'Once',
  },
  handler: ({ shell }) => {
    process.stdout.write(SCRIPTS[shell]);
  },
});

const WANTS_JOB: ReadonlySet<unknown> = new Set(['run', 'plan', 'doctor', 'pause', 'resume']);
/** A shell inserts an offer into the command line as it is, so only names that are a single word are offered. */
const ONE_WORD = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

type Take = (error: Error | null, offers: string[] | undefined) => void;

/**
 * The completions that a shell offers after the words so far: commands, options, and the names in jobs/ if a job is
 * expected. yargs calls it; `usual` computes the offers of yargs itself. Without an offer the shell falls back to
 * files, since most arguments are files: so options are offered only after a dash.
 */
export function complete(
  current: string,
  words: unknown,
  usual: (take: Take) => void,
  done: (offers: string[]) => void,
): void {
  usual((_, offers = []) => {
    const isOption = current.startsWith('-');
    // An alias of one letter is written with one dash.
    const fitting = offers.filter((offer) =>
      isOption ? !/^--\w(?!\w|-)/.test(offer) : !offer.startsWith('-'),
    );
    done(
      isOption || !wantsJob(words)
        ? fitting
        : [...fitting, ...[...ownJobs().keys()].filter((job) => ONE_WORD.test(job))],
    );
  });
}

/** Whether the next word is the first argument of a command that takes a job. `words` begin with the program's name. */
function wantsJob(words: unknown): boolean {
  const { _: plain = [] } = words as { readonly _?: readonly unknown[] };
  return WANTS_JOB.has(plain[1]) && plain.length <= 3;
}
