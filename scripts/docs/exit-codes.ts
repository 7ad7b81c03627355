// docs/exit-codes.md: every exit code and what it means.
import { EXIT, MEANINGS } from '../../src/cli/exit-codes.js';
import { table } from './markdown.js';

/** The page, whole. */
export function renderExitCodesDoc(): string {
  const rows = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [
    String(EXIT[name]),
    name,
    MEANINGS[name].replaceAll('|', '\\|'),
  ]);
  return `# Exit codes

Made from \`src/cli/exit-codes.ts\` by \`npm run generate\`.

${table(['code', 'name', 'meaning'], rows)}
`;
}
