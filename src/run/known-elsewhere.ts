// Finds leads that would be paid for anew although they are known: under another account of the same address, or under
// the inputs that an earlier run of the job guessed.
import { type Ask, COLUMN_INPUTS } from '../model/ask.js';
import type { Column } from '../model/lead.js';
import type { MappedInput, MappingWish } from '../model/mapping/mapping.js';
import type { PaidAnew } from '../model/tally.js';
import { shellWord } from '../model/text/printable.js';
import type { KnownAccount } from '../ports/store/accounts.js';
import type { AskedLead, IngestBatch } from '../ports/store/enrichments.js';
import type { FormerMapping } from '../ports/store/runs.js';
import type { Store } from '../ports/store/store.js';
import type { MappedBatch } from './lead-batches.js';
import type { AskingTerms } from './run-context.js';
import { toLeadEntry } from './to-lead-entry.js';

export interface KnownElsewhereOptions {
  readonly store: Store;
  readonly terms: AskingTerms;
  /** The other accounts of the address. */
  readonly accounts: readonly KnownAccount[];
  /** The mappings of earlier runs of the job. */
  readonly mappings: readonly FormerMapping[];
  readonly freshSince: number;
  /** Leads up to this position belong to a run already. */
  readonly afterPosition: number;
}

/** The account and mapping under which a lead may be known. */
interface Way extends Omit<PaidAnew, 'leads'> {
  readonly account: string;
  readonly mapping: readonly MappedInput[];
}

/** A lead that would be paid for, and the asks that would be sent. */
interface Payable {
  readonly lead: AskedLead;
  readonly asks: readonly Ask[];
}

const OTHER_ACCOUNT = 'under another account';
/** The greatest number of ways in which a lead is looked up, the most likely first. */
const WAYS_MAX = 16;

/** Counts leads that are known elsewhere, or of which some asks are, a batch at a time. */
export class KnownElsewhere {
  readonly #counts = new Map<string, PaidAnew>();
  #mapping: readonly MappedInput[] | undefined;
  #ways: readonly Way[] = [];

  constructor(private readonly options: KnownElsewhereOptions) {}

  /** The ways in which leads are known, those with most leads first. */
  get found(): PaidAnew[] {
    return [...this.#counts.values()].sort((a, b) => b.leads - a.leads);
  }

  /** Whether there is any other way in which leads with these columns may be known. */
  mayKnow(batch: Pick<MappedBatch, 'columns' | 'mapping'>): boolean {
    return this.#waysOf(batch).length > 0;
  }

  async lookAt(batch: IngestBatch): Promise<void> {
    const { afterPosition, freshSince, store } = this.options;
    const { columns, mapping = [] } = batch;
    const ways = this.#waysOf({ columns, mapping });
    if (ways.length === 0) return;
    const asked = batch.leads.filter(
      (lead): lead is AskedLead => lead.kind === 'asked' && lead.position > afterPosition,
    );
    const states = await store.peek(this.options.terms.account, asked, freshSince);
    let rest = asked.flatMap((lead, i): Payable[] => {
      const { asks = [], state } = states[i] ?? {};
      return state === 'new' ? [{ lead, asks }] : [];
    });
    for (const way of ways) {
      if (rest.length === 0) return;
      rest = await this.#lookIn(way, rest);
    }
  }

  /** Returns the leads that are unknown that way. */
  async #lookIn(way: Way, payable: readonly Payable[]): Promise<Payable[]> {
    const { freshSince, store } = this.options;
    const terms = { ...this.options.terms, account: way.account };
    const entries = payable.map(({ lead }) =>
      toLeadEntry(lead, lead.position, way.mapping, { ...terms, ask: lead.wanted ?? terms.ask }),
    );
    const asked = entries.filter((entry) => entry.kind === 'asked');
    const states = await store.peek(way.account, asked, freshSince);
    const known = new Map(
      asked.map(({ position, request }, i): [number, readonly Ask[]] => {
        const { asks = [], state } = states[i] ?? {};
        return [position, request.ask.filter((ask) => state !== 'new' || !asks.includes(ask))];
      }),
    );
    const isUnknown = ({ asks, lead }: Payable): boolean =>
      known.get(lead.position)?.some((ask) => asks.includes(ask)) !== true;
    const rest = payable.filter(isUnknown);
    if (rest.length < payable.length) this.#count(way, payable.length - rest.length);
    return rest;
  }

  #count({ keep, known, run }: Way, leads: number): void {
    const before = this.#counts.get(keep)?.leads ?? 0;
    this.#counts.set(keep, { leads: before + leads, run, known, keep });
  }

  /** The mapping is the same from batch to batch, until a column is new. */
  #waysOf({ columns, mapping }: Pick<MappedBatch, 'columns' | 'mapping'>): readonly Way[] {
    if (mapping === this.#mapping) return this.#ways;
    this.#mapping = mapping;
    const { accounts, mappings, terms } = this.options;
    const others = accounts.map(({ account, run }): Way => {
      const keep = `--account id-${account}`;
      return { account, mapping, run, known: OTHER_ACCOUNT, keep };
    });
    const guesses = mappings.flatMap((before): Way[] => {
      const former = asGuessedBefore(columns, mapping, terms.map, before);
      const keep = flagsFor(former, mapping);
      if (keep === '') return [];
      const { account } = terms;
      return [{ account, mapping: former, run: before.run, known: 'with other inputs', keep }];
    });
    const both = others.flatMap((other) =>
      guesses.map(({ keep, mapping: former }): Way => {
        const known = `${other.known}, with other inputs`;
        return { ...other, mapping: former, known, keep: `${other.keep} ${keep}` };
      }),
    );
    // Runs may have guessed the same columns at other places of their files.
    const distinct = new Map<string, Way>();
    for (const way of [...others, ...guesses, ...both]) {
      if (!distinct.has(way.keep)) distinct.set(way.keep, way);
    }
    this.#ways = [...distinct.values()].slice(0, WAYS_MAX);
    return this.#ways;
  }
}

/**
 * The mapping with an earlier run's guesses. Stated columns, now or then, stay as they are now: the user changed them
 * on purpose.
 */
function asGuessedBefore(
  columns: readonly Column[],
  now: readonly MappedInput[],
  wish: MappingWish,
  before: FormerMapping,
): MappedInput[] {
  return COLUMN_INPUTS.flatMap((input): MappedInput[] => {
    const present = now.filter((one) => one.input === input);
    const then = before.mapping.find((one) => one.input === input);
    if (wish[input] !== undefined || input in before.map) return present;
    if (then === undefined) return [];
    const index = columns.findIndex(({ key }) => key === then.column.key);
    const column = columns[index];
    return column === undefined ? present : [{ input, column, index, isGuessed: true }];
  });
}

/** The flags that change the present mapping into the wanted one; empty if both are equal. */
export function flagsFor(wanted: readonly MappedInput[], now: readonly MappedInput[]): string {
  const flags = COLUMN_INPUTS.flatMap((input) => {
    const [one, other] = [wanted, now].map((all) => all.find((entry) => entry.input === input));
    if (one?.index === other?.index) return [];
    return [`--map ${input}=${one === undefined ? '' : shellWord(one.column.key)}`];
  });
  return flags.join(' ');
}
