// Compares the mapping that a run keeps from the job's last run with the mapping that would be guessed today, and
// counts the cost of changing over.
import { COLUMN_INPUTS } from '../model/ask.js';
import { sumCredits } from '../model/credits.js';
import { judgeColumns } from '../model/mapping/judge-columns.js';
import type { JudgedColumns, MappedInput } from '../model/mapping/mapping.js';
import type { BetterGuess } from '../model/tally.js';
import { shellWord } from '../model/text/printable.js';
import { highestPrice } from '../model/verdict.js';
import type { AskedLead, IngestBatch, LeadEntry } from '../ports/store/enrichments.js';
import type { Store } from '../ports/store/store.js';
import { withoutSample } from './choose-leads.js';
import { type MappedBatch, toIngestBatch } from './lead-batches.js';
import type { AskingTerms } from './run-context.js';

export class GuessComparison {
  #judged: JudgedColumns | undefined;
  #flags = '';
  #leads = 0;
  #creditsMax = 0;
  /** The number of leads that today's mapping would ask beyond those of the run. */
  #more = 0;
  readonly #terms: AskingTerms;

  constructor(
    private readonly store: Store,
    terms: AskingTerms,
  ) {
    // Other inputs would draw another sample.
    this.#terms = withoutSample(terms);
  }

  /** Undefined if both are the same, or if fewer leads would be asked, which is not better. */
  get found(): BetterGuess | undefined {
    if (this.#flags === '' || this.#more < 0) return undefined;
    return { flags: this.#flags, leads: this.#leads, creditsMax: this.#creditsMax };
  }

  /** `asked`: the leads of the batch as the run would ask for them. */
  async lookAt(
    batch: MappedBatch,
    asked: IngestBatch,
    freshSince: (position: number) => number,
  ): Promise<void> {
    const { store } = this;
    const terms = this.#terms;
    if (terms.former === undefined) return;
    const { mapping } = this.#judgeAnew(batch);
    if (this.#flags === '') return;
    const other = toIngestBatch({ ...batch, mapping }, { terms });
    const left = new Set(
      asked.leads.filter(({ kind }) => kind === 'not_asked').map(({ position }) => position),
    );
    const [now, then] = [asked, other].map(({ leads }) =>
      leads.filter(isAsked).filter(({ position }) => !left.has(position)),
    );
    this.#more += (then?.length ?? 0) - (now?.length ?? 0);
    const since = freshSince(batch.position);
    const isNew = async (leads: readonly AskedLead[] = []): Promise<AskedLead[]> => {
      const states = await store.peek(terms.account, leads, since);
      return leads.filter((_, i) => states[i]?.state === 'new');
    };
    const paidAnyway = new Set((await isNew(now)).map(({ position }) => position));
    const paidBesides = (await isNew(then)).filter(({ position }) => !paidAnyway.has(position));
    this.#leads += paidBesides.length;
    const prices = paidBesides.map(({ request }) => highestPrice(request.ask, terms.prices));
    this.#creditsMax = sumCredits([this.#creditsMax, ...prices]);
  }

  #judgeAnew(batch: MappedBatch): JudgedColumns {
    const judged = judgeColumns(batch, { ...this.#terms, former: [] }, this.#judged);
    if (judged !== this.#judged) this.#flags = flagsFor(judged.mapping, batch.mapping);
    this.#judged = judged;
    return judged;
  }
}

/** The flags that change the present mapping into the wanted one; empty if both are equal. */
function flagsFor(wanted: readonly MappedInput[], now: readonly MappedInput[]): string {
  const flags = COLUMN_INPUTS.flatMap((input) => {
    const [one, other] = [wanted, now].map((all) => all.find((entry) => entry.input === input));
    if (one?.index === other?.index) return [];
    return [`--map ${input}=${one === undefined ? '' : shellWord(one.column.key)}`];
  });
  return flags.join(' ');
}

function isAsked(lead: LeadEntry): lead is AskedLead {
  return lead.kind === 'asked';
}
