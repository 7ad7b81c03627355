// docs/reference/commands.md: every command with its options and defaults, in the words of its own --help.
import { table } from './markdown.js';

/** What `sluice help WORDS` prints. */
export type HelpOf = (words: readonly string[]) => Promise<string>;

interface Listed {
  readonly command: string;
  readonly usage: string;
  readonly about: string;
}

/** The page, whole. */
export async function renderCommandsDoc(helpOf: HelpOf): Promise<string> {
  const commands = await listedCommands(helpOf);
  const rows = commands.map(({ about, command, usage }) => [
    `[\`sluice ${usage}\`](#sluice-${command.replaceAll(' ', '-')})`,
    about.replaceAll('|', '\\|'),
  ]);
  const sections: string[] = [];
  for (const { command } of commands) {
    const help = await helpOf(command.split(' '));
    sections.push(`## sluice ${command}\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`);
  }
  return `# Commands

Made from the commands' own \`--help\` by \`npm run generate\`. \`sluice help --json\` prints all of it for scripts.

What is in \`<…>\` is needed, what is in \`[…]\` may be left out. How a command ends is in
[exit codes](../exit-codes.md), and what it reads beside its arguments in [environment](environment.md).

${table(['command', 'what it does'], rows)}

${sections.join('\n')}`;
}

export async function listedCommands(helpOf: HelpOf): Promise<readonly Listed[]> {
  const { commands } = JSON.parse(await helpOf(['--json'])) as { readonly commands: Listed[] };
  return commands;
}
