// sluice completion SHELL: prints the script by which a shell asks complete.ts what to offer.
import { command } from '../../command.js';

/** Each asks `sluice --get-yargs-completions WORDS`; by SHELL yargs knows whether remarks may stand beside the words. */
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

interface CompletionArguments {
  shell: keyof typeof SCRIPTS;
}

export const completionCommand = command<CompletionArguments>({
  command: 'completion <shell>',
  describe: 'Print a script by which your shell completes the words of a command',
  builder: (yargs) =>
    yargs
      .positional('shell', { choices: SHELLS, demandOption: true, describe: 'Your shell' })
      .example('source <(sluice completion bash)', 'In ~/.bashrc; for zsh in ~/.zshrc')
      .example('sluice completion fish > ~/.config/fish/completions/sluice.fish', 'Once'),
  handler: ({ shell }) => {
    process.stdout.write(SCRIPTS[shell]);
  },
});
