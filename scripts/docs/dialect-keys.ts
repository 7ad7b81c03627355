// docs/reference/dialect-keys.md, made from the table that marks what `sluice dialect show` calls assumed.
import { DOCUMENTED } from '../../src/config/dialect-origins.js';
import { slugOf, table } from './markdown.js';

/** The whole document, in Markdown. */
export function renderDialectKeysDoc(): string {
  const rows = Object.entries(DOCUMENTED).map(([heading, keys]) => [
    `[${heading}](../platform-api.md#${slugOf(heading)})`,
    keys.map((key) => `\`${key}\``).join(', '),
  ]);
  return `# What of the neutral dialect is documented

Made from \`src/config/dialect-origins.ts\` by \`npm run generate\`.

The platform's interface is [documented in part](../platform-api.md). These keys of the neutral
[dialect](../dialects.md) have what is shown there; a section stands for all its keys. **Every other key is our guess**:
\`sluice dialect show\` marks it as \`assumed\`, until a dialect file states it. Whatever stands in a file counts as stated: write into yours only
what you know, and keep no copy of the whole neutral dialect.

${table(['shown under', 'keys'], rows)}

No guess costs a lead or a run by itself: [prices](../dialects.md#every-key) that nobody stated are told as assumed,
a bulk call that no file describes is not taken by itself, a lead is left out only where it names nobody, and where the
platform has no free question, the first paid call is sent alone.
`;
}
