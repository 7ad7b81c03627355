// Picks a few leads in the form of the table, for a report that may show persons.
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { LeadAnswer, LeadStatus } from '../../model/answer.js';
import { customColumns } from '../../model/columns/custom-columns.js';
import { LEAD_COLUMNS } from '../../model/columns/lead-columns.js';
import { freeColumns } from '../../model/columns/output-columns.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { SampleFigures } from '../../model/report/run-figures.js';
import type { Run } from '../../model/run.js';
import { exactText, type JsonValue } from '../../model/text/json.js';
import { shownColumns } from './shown-columns.js';

/** The number of leads for each status. */
const ROWS_MAX = 3;
const CELL_LENGTH_MAX = 80;
const SHOWN = ['sluice_status', 'email', 'email_status', 'email_domain_matches', 'phone'];

export function createSamples({ columns, custom }: Run, mapping: readonly MappedInput[]) {
  const indexes = [...new Set(mapping.map(({ index }) => index))].sort((a, b) => a - b);
  const specs = [
    ...LEAD_COLUMNS.filter(({ name }) => SHOWN.includes(name)),
    ...customColumns(custom).map((spec) => ({
      ...spec,
      read: ({ result }: LeadAnswer) => spec.read(result),
    })),
  ];
  const counts = new Map<LeadStatus, number>();
  const rows: SampleFigures['rows'][number][] = [];

  return {
    add(answer: LeadAnswer): void {
      const { cells, file, line, status } = answer;
      const count = counts.get(status) ?? 0;
      if (count === ROWS_MAX) return;
      counts.set(status, count + 1);
      const own = indexes.map((index) => cells[index]);
      const ours = specs.map((spec) => spec.read(answer, registrableDomain));
      rows.push({ source: file, line, cells: [...own, ...ours].map(shown) });
    },
    figures: (): SampleFigures => ({
      columns: [
        ...indexes.map((index) => shownColumns(columns)[index]?.key ?? ''),
        ...freeColumns(columns, specs).map(({ name }) => name),
      ],
      rows,
    }),
  };
}

function shown(cell: JsonValue | undefined): string {
  const text = cell === undefined || cell === null ? '' : exactText(cell);
  return text.length > CELL_LENGTH_MAX ? `${text.slice(0, CELL_LENGTH_MAX)}…` : text;
}
