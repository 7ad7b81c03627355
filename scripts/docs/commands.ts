// docs/reference/commands.md: every command with its options and defaults, in the words of its own --help.
import { table } from './markdown.js';

/** What `sluice WORDS --help` prints. */
export type HelpOf = (words: readonly string[]) => Promise<string>;

/** A line of a list of commands: `  sluice lists create <name>   Create …`. */
const LISTED = /^ {2}(sluice [^\n]*?)(?: {2,}(.*))?$/;
const WORD = /^[a-z]/;

interface Command {
  /** `lists create` */
  readonly words: readonly string[];
  readonly help: string;
}

/** The page, whole. */
export async function renderCommandsDoc(helpOf: HelpOf): Promise<string> {
  const commands = await commandsBelow([], await helpOf([]), helpOf);
  const rows = commands.map(({ words, help }) => {
    const usage = linesOf(help)[0] ?? '';
    return [`[\`${usage}\`](#${['sluice', ...words].join('-')})`, aboutOf(help)];
  });
  const sections = commands.map(
    ({ words, help }) => `## sluice ${words.join(' ')}\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`,
  );
  return `# Commands

Made from the commands' own \`--help\` by \`npm run generate\`.

What is in \`<…>\` is needed, what is in \`[…]\` may be left out. How a command ends is in
[exit codes](../exit-codes.md), and what it reads beside its arguments in [environment](environment.md).

${table(['command', 'what it does'], rows)}

${sections.join('\n')}`;
}

/** Those that a help lists, each followed by those below it. */
async function commandsBelow(
  above: readonly string[],
  help: string,
  helpOf: HelpOf,
): Promise<Command[]> {
  const found: Command[] = [];
  for (const name of namesIn(help, above.length)) {
    const words = [...above, name];
    const own = await helpOf(words);
    found.push({ words, help: own }, ...(await commandsBelow(words, own, helpOf)));
  }
  return found;
}

/** The words at that depth in the lists of commands, which stand before the options. */
function namesIn(help: string, depth: number): string[] {
  const [listed = ''] = help.split(/^(?:Options|Examples):$/m);
  return linesOf(listed).flatMap((line) => {
    const word = LISTED.exec(line)?.[1]?.split(' ')[depth + 1] ?? '';
    return WORD.test(word) ? [word] : [];
  });
}

/** The text under the first line, up to the next empty one. */
function aboutOf(help: string): string {
  const [, about = ''] = help.split('\n\n');
  return about.replaceAll('\n', ' ').replaceAll('|', '\\|');
}

function linesOf(text: string): string[] {
  return text.split('\n');
}
