// Pages that programs which write for people read first: skills/sluice/SKILL.md, and llms.txt (https://llmstxt.org), a list of
// the documents.
import { EXIT, MEANINGS } from '../../src/cli/exit-codes.js';
import { type HelpOf, listedCommands } from './commands.js';
import { table } from './markdown.js';

const EVERYDAY = ['init', 'plan', 'enrich', 'run', 'status', 'explain', 'export', 'retry'];
const CODES = [
  'ok',
  'unanswered',
  'usage',
  'platform',
  'budget',
  'paused',
  'cap',
  'hit-rate',
  'busy',
] as const;

/** The skill, whole. */
export async function renderSkill(helpOf: HelpOf): Promise<string> {
  const commands = (await listedCommands(helpOf))
    .filter(({ command }) => EVERYDAY.includes(command))
    .map(({ about, usage }) => [`\`sluice ${usage}\``, cellOf(about)]);
  const codes = CODES.map((name) => [String(EXIT[name]), cellOf(MEANINGS[name])]);
  return `---
name: sluice
description: Enrich a file of leads (CSV, XLSX, NDJSON) with e-mail addresses, phone numbers and profiles by the command line tool sluice, without paying twice. Use it when someone asks to find or verify contact data for a list of people.
---

# Sluice

Each answer costs credits, which are money. Work in this order, and stop where a person has to decide.

1. **Plan.** \`sluice plan FILE --ask find_email,find_phone --json\` sends nothing. Read \`to_pay\` (leads that are asked
   and may cost), \`credits_min\`, \`credits_max\`, \`already_known\` (answered without cost), \`paid_anew\` (values that were
   paid for and are asked again), \`skipped\` (with reasons) and \`advice\`. \`--map companyDomain=Website\` corrects a
   column; without \`--json\` the first line of the plan shows which column is which input.
2. **Ask the person** whether that may be spent, with the figures. Where \`prices_assumed\` is true, nobody has stated what
   an answer costs, and a budget in credits is only as right as that: ask for the prices (\`--set prices.find_email=5\`).
   Add \`--url sandbox\` to every command to try the whole way without an account and without cost: the answers are made up.
3. **Sample with a budget.** \`sluice enrich FILE --out OUT.csv --ask find_email --sample 20 --budget 100 --json\` prints
   the summary: \`by_status\`, \`credits\`, \`reasons\`, \`out\`. Show the hit rate before you go on. Where a run ends early
   (codes 6, 9 and 10), the summary is on stdout and an error on stderr.
4. **Run.** The same command without \`--sample\`, with the budget that the person named. What the sample paid for is not
   paid for again. A command that was cut off is given again, unchanged: it goes on where it stopped.
5. **Show.** The table has the person's own columns first, then those of Sluice; \`sluice_status\` and \`sluice_reason\` say
   what became of each lead. \`sluice status --json\` counts, \`sluice explain RUN LINE --json\` tells about one line of the
   input (the header is line 1). \`sluice export RUN --out OUT.xlsx --where "sluice_status = found"\` writes the table
   again, or a part of it, and costs nothing.

For a job that is run again and again, \`sluice init FILE\` writes \`jobs/NAME.yaml\`, and \`sluice run NAME --json\` runs it.

## Never without a person's word

- A run for the real platform (without \`--url sandbox\`) whose plan was not shown, or that has no \`--budget\`.
- \`--resend-uncertain\`, \`retry --ask-anew\`, a smaller \`--fresh-for\`, another \`--state\`, or a deleted state file: each can pay
  again for what is known.
- More than the person allowed: a higher \`--budget\` or cap, \`sluice cancel\` (the next run has a budget of its own), a run
  after code 6, 9 or 10.
- \`--force\`, \`sluice state prune\`, \`sluice suppress remove\`, \`sluice caps set\`, and \`--yes\` wherever a command asks.
- Credentials: they belong into the environment or \`.env\`, which the person fills. Never ask for them, print them, or put
  them into a command.

When someone demands to be forgotten: \`sluice suppress add firstName=Ada lastName=Lovelace companyDomain=acme.com\` stops
every further request, and is yours to do. \`sluice state forget\` with the same words shows what would be removed; a
person gives it \`--yes\`. Tables that were written before keep their rows until they are exported again.

Names, addresses and phone numbers are personal data: do not copy them into anything that the person did not ask for.

## Commands

${table(['command', 'what it does'], commands)}

\`sluice help --json\` lists all commands with their flags and defaults, \`sluice keys\` the keys of a job (\`--set KEY=VALUE\`).

## Exit codes

With \`--json\` an error is one object: \`{"error": {"code", "exit_code", "message"}}\`. Its message says what to do next.

${table(['code', 'meaning'], codes)}
`;
}

/** llms.txt, whole: each row of the tables of docs/README.md as a link. */
export function renderLlms(docs: string): string {
  const sections = docs.split(/^## /m).slice(1);
  const lists = sections.flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const rows = lines.filter((line) => line.startsWith('|')).slice(2);
    const links = rows.flatMap((row) => {
      const [, about = '', targets = ''] = row.split(' | ').join('|').split('|');
      return [...targets.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(
        ([, title = '', path = '']) => `- [${title}](${pathOf(path)}): ${about.trim()}`,
      );
    });
    return links.length === 0 ? [] : [`## ${heading}\n\n${links.join('\n')}\n`];
  });
  return `# Sluice

> Enriches a file of leads through an outreach platform: e-mail addresses, phone numbers and profiles as a table. Nothing
> is paid for twice, and a budget holds.

How to use it for someone: [the skill](skills/sluice/SKILL.md). For people: [README](README.md).

${lists.join('\n')}`;
}

function pathOf(path: string): string {
  return path.startsWith('../') ? path.slice(3) : `docs/${path}`;
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|');
}
