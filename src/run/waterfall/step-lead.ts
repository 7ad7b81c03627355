// Makes the question of a waterfall's step about a lead, from the lead's own cells and the answers of earlier steps.
import type { Ask } from '../../model/ask.js';
import { judgeColumns } from '../../model/mapping/judge-columns.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import { questionOf, type Waterfall } from '../../model/waterfall/waterfall.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import type { HeldLead } from '../../ports/store/runs.js';
import type { Store } from '../../ports/store/store.js';
import { wantedAsks } from '../choose/choose-leads.js';
import type { AskingTerms } from '../run-context.js';
import { knownInputs, toLeadEntry } from '../to-lead-entry.js';

/** The terms by which a step asks, besides those of its platform. */
export interface StepTerms {
  readonly held: number;
  readonly waterfall: Waterfall;
  /** The index of the step. */
  readonly index: number;
  /** The terms of the run that holds the leads. */
  readonly heldTerms: AskingTerms;
}

/** The columns of an address that an earlier step has found. */
export const ADDRESS: readonly MappedInput[] = [
  { input: 'email', column: { name: 'email', key: 'email' }, index: 0, isGuessed: false },
];
/** The leads by whose values own columns are known. */
const FIRST = Array.from({ length: 100 }, (_, i) => i + 1);

/** Makes the question of a step about a lead. */
export type ToLead = (lead: HeldLead) => LeadEntry;

/** Reads what is known of the columns; returns the function that makes the step's question of a lead. */
export async function openQuestions(
  store: Store,
  { held, heldTerms, index, waterfall }: StepTerms,
  terms: AskingTerms,
): Promise<ToLead> {
  const mapping = (await store.findRun(held))?.mapping ?? [];
  const wantedOf = await openWanted(store, held, heldTerms);
  return ({ answers, lead }) => {
    const { cells, file: source, line, position } = lead;
    const record = { source, line, cells };
    const wanted = wantedOf(cells);
    const question =
      typeof wanted === 'string'
        ? { kind: 'none' as const, why: wanted }
        : questionOf(waterfall, index, answers.slice(0, index), wanted);
    if (question.kind === 'none') {
      return { position, ...record, kind: 'not_asked', note: question.why };
    }
    if (question.kind === 'find') {
      return toLeadEntry(record, position, mapping, { ...terms, ask: question.ask });
    }
    const { address } = question;
    const asked = toLeadEntry({ ...record, cells: [address] }, position, ADDRESS, terms);
    if (asked.kind !== 'asked') return asked;
    // Someone suppressed is known by all that the lead says.
    return {
      ...asked,
      cells,
      known: { ...knownInputs(cells, mapping, terms), ...asked.request.inputs },
    };
  };
}

/** The asks that are wanted for a lead with these cells, which may be fewer where only missing answers are. */
async function openWanted(
  store: Store,
  held: number,
  terms: AskingTerms,
): Promise<(cells: HeldLead['lead']['cells']) => readonly Ask[] | string> {
  if (terms.choice?.missing === undefined) return () => terms.ask;
  const columns = (await store.findRun(held))?.columns ?? [];
  const first = await store.heldAt(held, FIRST);
  const records = first.map(({ lead: { cells, file, line } }) => ({ source: file, line, cells }));
  const { own } = judgeColumns({ columns, records }, terms);
  return wantedAsks({ columns, own }, { ...terms, choice: { missing: terms.choice.missing } });
}
