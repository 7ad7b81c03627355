// docs/reference/dialect-keys.md, made from the table that marks what `sluice dialect show` calls assumed.
import { ASSUMED, DOCUMENTED } from '../../src/config/dialect-origins.js';
import { slugOf, table } from './markdown.js';

/** The whole document, in Markdown. */
export function renderDialectKeysDoc(): string {
  const rows = Object.entries(DOCUMENTED).map(([heading, keys]) => [
    `[${heading}](../platform-api.md#${slugOf(heading)})`,
    listOf(keys),
  ]);
  const guesses = Object.entries(ASSUMED).map(([what, keys]) => [what, listOf(keys)]);
  return `# What of the neutral dialect is documented

Made from \`src/config/dialect-origins.ts\` by \`npm run generate\`.

The platform's interface is [documented in part](../platform-api.md). Every key of the neutral
[dialect](../dialects.md#every-key) has what is shown there, or is our guess; a section stands for all its keys.

## Documented

${table(['shown under', 'keys'], rows)}

## Our guess

\`sluice dialect show\` marks these as \`assumed\`, until a dialect file states them. Whatever stands in a file counts as
stated: write into yours only what you know, and keep no copy of the whole neutral dialect.

${table(['what is left open', 'keys'], guesses)}

No guess costs a lead or a run by itself: [prices](../dialects.md#every-key) that are not stated are told as assumed,
a bulk call that no file describes is not taken by itself, a lead is left out only where it names no person, and where
the platform has no free question, the first paid call is sent alone.
`;
}

function listOf(keys: readonly string[]): string {
  return keys.map((key) => `\`${key}\``).join(', ');
}
