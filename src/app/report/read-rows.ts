// Figures that only the rows of a run tell: cost by ask, quality, the first places of each reason, and a few leads as samples.
import { domainOwner } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import { isAsked, type LeadAnswer, type LeadStatus, SHOWN_FOR_NOW } from '../../model/answer.js';
import { type Ask, priceOf } from '../../model/ask.js';
import { customColumns } from '../../model/columns/custom-columns.js';
import { LEAD_COLUMNS } from '../../model/columns/lead-columns.js';
import { freeColumns } from '../../model/columns/output-columns.js';
import { fromThousandths, toThousandths } from '../../model/credits.js';
import type {
  AskCost,
  CostFigures,
  PlaceOfLine,
  SampleFigures,
} from '../../model/report/run-figures.js';
import type { RunForecast } from '../../model/report/series.js';
import type { Run } from '../../model/run.js';
import type { RunTally, StatusReason } from '../../model/tally.js';
import { exactText, type JsonValue } from '../../model/text/json.js';
import { highestPrice, hitsOf } from '../../model/verdict.js';
import type { Store } from '../../ports/store/store.js';
import { answerPages } from '../../run/export.js';
import { SANDBOX_ACCOUNT } from '../platform/account.js';
import type { SeenRun } from '../results/see-run.js';
import { createQualityCount } from './count-quality.js';
import { shownColumns } from './shown-columns.js';

type ReadRows = Awaited<ReturnType<typeof readRows>>;

export interface RowOptions {
  /** Whether a few rows are shown, with persons in them. Default: false. */
  readonly withSamples?: boolean | undefined;
  /** Called now and then with the number of leads that are read. */
  readonly onProgress?: ((leads: number) => void) | undefined;
}

export async function readRows(
  store: Store,
  { run, tally }: SeenRun,
  { onProgress, withSamples = false }: RowOptions,
) {
  const cost = createCostCount(run);
  const quality = createQualityCount(run);
  const places = createPlaceCount(tally.reasons);
  const samples = withSamples ? createSamples(run) : null;
  for await (const answers of answerPages(store, run)) {
    for (const answer of answers) {
      cost.add(answer);
      quality.add(answer);
      places.add(answer);
      samples?.add(answer);
    }
    onProgress?.(answers.at(-1)?.position ?? 0);
  }
  return { cost, quality, places, samples };
}

/** The cost; by ask from the rows, or from the numbers of the run alone. */
export function costOf(
  { charges, run, seen, tally }: SeenRun,
  forecast: RunForecast | null,
  rows: ReadRows | null,
): CostFigures {
  return {
    isMadeUp: run.account === SANDBOX_ACCOUNT,
    paid: tally.credits,
    charges,
    budget: run.budget ?? null,
    caps: seen.caps,
    forecastMax: forecast?.creditsMax ?? null,
    arePricesAssumed: run.arePricesAssumed,
    byAsk: rows?.cost.byAsk() ?? costOfOne(run, tally),
  };
}

const RULES = { registrableDomain, domainOwner };
const PLACES_MAX = 5;

function createPlaceCount(reasons: readonly StatusReason[]) {
  const places = new Map(
    reasons.map(({ reason, status }) => [keyOf(status, reason), [] as PlaceOfLine[]]),
  );
  return {
    add({ askedAgain, file: source, line, reason, status }: LeadAnswer): void {
      if (reason === null) return;
      const of = askedAgain ?? status;
      const found = places.get(keyOf(of, reasonAgain(of, reason)));
      if (found !== undefined && found.length < PLACES_MAX) found.push({ source, line });
    },
    placesOf: ({ reason, status }: StatusReason): readonly PlaceOfLine[] =>
      places.get(keyOf(status, reason)) ?? [],
  };
}

function keyOf(status: string, reason: string): string {
  return `${status} ${reason}`;
}

/** The part of a row's reason about the newer request, without the words about what is shown. */
export function reasonAgain(askedAgain: string, reason: string): string {
  const heads = SHOWN_FOR_NOW.map((shown) => `${shown}: ${askedAgain} (`);
  const head = heads.find((one) => reason.startsWith(one));
  return head === undefined ? reason : reason.slice(head.length, -1);
}

/** The number of leads for each status. */
const ROWS_MAX = 3;
const CELL_LENGTH_MAX = 80;
const SHOWN = ['sluice_status', 'email', 'email_status', 'email_domain_matches', 'phone'];

/** Picks a few leads in the form of the table, for a report that may show persons. */
function createSamples({ columns, custom, mapping }: Run) {
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
      const ours = specs.map((spec) => spec.read(answer, RULES));
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

interface Counted {
  asked: number;
  found: number;
  paidNow: number;
  thousandths: number;
  /** Whether an answer had a cost that its prices do not explain. */
  isUnclear: boolean;
}

function createCostCount({ ask, prices, waterfall }: Run) {
  // The credits of several platforms are no sum.
  const isUnclear = waterfall !== undefined;
  const counts = new Map<Ask, Counted>(
    ask.map((one) => [one, { asked: 0, found: 0, paidNow: 0, thousandths: 0, isUnclear }]),
  );

  const countedOf = (asks: readonly Ask[]) => asks.flatMap((one) => counts.get(one) ?? []);

  const pay = (hits: readonly Ask[], credits: number): void => {
    const isAlone = hits.length === 1;
    const isKnown = hits.every((hit) => hit in prices) && highestPrice(hits, prices) === credits;
    for (const hit of hits) {
      for (const counted of countedOf([hit])) {
        if (isAlone) counted.thousandths += toThousandths(credits);
        else if (isKnown) counted.thousandths += toThousandths(priceOf(prices, hit));
        else counted.isUnclear = true;
      }
    }
  };

  return {
    add({ ask: asked, credits, inputs, result, source, status }: LeadAnswer): void {
      if (!isAsked(status)) return;
      for (const counted of countedOf(asked)) counted.asked += 1;
      if (result === null) return;
      const hits = hitsOf({ ask: asked, inputs }, result);
      for (const counted of countedOf(hits)) {
        counted.found += 1;
        if (source === 'api') counted.paidNow += 1;
      }
      if (credits > 0) pay(hits, credits);
    },
    byAsk: (): AskCost[] =>
      Array.from(counts, ([one, { asked, found, isUnclear, paidNow, thousandths }]) => ({
        ask: one,
        asked,
        found,
        paidNow,
        credits: isUnclear ? null : fromThousandths(thousandths),
      })),
  };
}

/** The cost from the numbers of the run alone; null if it asks for several things. */
function costOfOne({ ask }: Run, { byStatus, credits }: RunTally): AskCost[] | null {
  const [only, ...more] = ask;
  if (only === undefined || more.length > 0) return null;
  const asked = Object.entries(byStatus)
    .filter(([status]) => isAsked(status as LeadStatus))
    .reduce((sum, [, leads]) => sum + leads, 0);
  return [{ ask: only, asked, found: byStatus.found, paidNow: null, credits }];
}
