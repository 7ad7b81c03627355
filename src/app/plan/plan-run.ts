import { readyMadeDialects } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { shapeOf } from '../../model/columns/positions.js';
import { type DialectTerms, filesAtEnd, type OutputPlan, type RunPlan } from '../../model/run.js';
import { formatRate } from '../../model/schedule/rate.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { expandListName, hasPlaceholder } from '../../model/text/placeholders.js';
import { highestPrice } from '../../model/verdict.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { Store } from '../../ports/store/store.js';
import type { ListPlan } from '../../run/list-leads.js';
import type { AskingTerms } from '../../run/run-context.js';
import { nameTables } from '../files/name-table.js';
import { addressDigest } from '../platform/account.js';
import { isSandbox } from '../platform/dialect-at.js';
import { paceOf } from '../run/how-to-ask.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { Portion } from './drop-portions.js';

/** The newest runs that are searched for one with the same dialect. */
const RUNS_MAX = 50;

interface PlannedTerms {
  readonly terms: AskingTerms;
  /** The digest of the terms (asking-terms.ts). */
  readonly digest: string;
  readonly startedAt: number;
  readonly dialect: Dialect;
}

export async function planRun(
  settings: JobSettings,
  { reader, files, output }: Portion,
  { terms, digest, startedAt, dialect }: PlannedTerms,
): Promise<RunPlan> {
  const { account, ask, custom, prices } = terms;
  const { budget, caps, credit, job, deadlineMs, freshForMs } = settings;
  const digests = files?.map(({ digest }) => digest);
  const dialectTerms = termsOfDialect(settings, dialect);
  return {
    job,
    account,
    address: addressDigest(settings.url),
    ask,
    ...(custom === undefined ? {} : { custom }),
    map: settings.map,
    terms: digest,
    signature: digests === undefined ? await reader.signature() : JSON.stringify(digests),
    sources: reader.sources,
    ...(settings.limit !== undefined && { limit: settings.limit }),
    ...(digests === undefined ? {} : { digests }),
    deadlineMs,
    freshForMs,
    priceMax: highestPrice(ask, prices),
    arePricesAssumed: terms.arePricesAssumed,
    pace: paceOf(settings, dialect),
    ...(dialectTerms && { dialect: dialectTerms }),
    ...(budget === undefined ? {} : { budget }),
    ...(caps === undefined ? {} : { caps }),
    ...(credit === undefined ? {} : { credit }),
    prices,
    output: output ?? planOutput(settings, reader, startedAt),
  };
}

/** Undefined for a dialect in a file of the user's, and in a sandbox, which has a limit of its own. */
function termsOfDialect(
  settings: JobSettings,
  { limits, prices, 'second-look': secondLook }: Dialect,
): DialectTerms | undefined {
  const { dialect: name, prices: stated = {} } = settings;
  if (name === undefined || isSandbox(settings) || !readyMadeDialects().includes(name))
    return undefined;
  const own = Object.entries(prices).filter(([ask]) => !Object.hasOwn(stated, ask));
  return { name, limit: formatRate(limits.rate), prices: Object.fromEntries(own), secondLook };
}

/**
 * Warns of a ready-made dialect that is not the one with which the state last ran: once, since the run that begins keeps
 * what it says now.
 */
export async function tellChangedDialect(
  store: Store,
  { dialect: now }: RunPlan,
  observe: RunObserver,
): Promise<void> {
  if (now === undefined) return;
  for (const run of await store.listRuns(RUNS_MAX)) {
    const all = run.waterfall === undefined ? [run] : await store.stepRuns(run.id);
    const before = all.find(({ dialect }) => dialect?.name === now.name)?.dialect;
    if (before === undefined) continue;
    const facts = [
      ['limit', before.limit, now.limit],
      ['second-look', before.secondLook, now.secondLook],
      ...Object.entries(now.prices).map(([ask, price]) => [
        `price of ${ask}`,
        before.prices[ask] ?? price,
        price,
      ]),
    ] as const;
    const changed = facts.filter(([, was, is]) => was !== is);
    const told = changed.map(([what, was, is]) => `${what} ${is} (before: ${was})`).join(', ');
    if (told === '') return;
    const message = `The ready-made dialect ${now.name} says something else than in run ${run.id}: ${told}.`;
    return observe({ kind: 'run.warned', warning: 'dialect_changed', message });
  }
}

function planOutput(
  settings: JobSettings,
  { sources, delimiter: ofInput = ',' }: LeadReader,
  at: number,
): OutputPlan {
  const { bom, columns, excel, fill, formulaGuard, further, job, key, positions } = settings;
  const atEnd = filesAtEnd(settings);
  const { delimiterOut = ofInput, out = '-' } = settings;
  return {
    ...nameTables({ out, further, ...atEnd }, { startedAt: at, sources, job }),
    ...(hasPlaceholder(out) && { template: out }),
    ...(Object.values(further).some((name) => hasPlaceholder(name)) && {
      furtherTemplates: further,
    }),
    ...(Object.values(atEnd).some((name) => name !== undefined && hasPlaceholder(name)) && {
      atEndTemplates: atEnd,
    }),
    positions,
    ...(columns && { columns }),
    ...(key && { key }),
    ...(fill && { fill }),
    delimiter: delimiterOut,
    bom,
    excel,
    formulaGuard,
  };
}

/**
 * The contact list of a run, checked before anything is paid for; null if the job wants no list.
 * @throws SluiceError `usage` for a name that the platform would not take
 */
export function planList(settings: JobSettings, at: number): ListPlan | null {
  const { job, list, positions } = settings;
  if (list === undefined) return null;
  const date = new Date(at).toISOString().slice(0, 10);
  const name = expandListName(list.name, { job, date });
  return { name, where: list.where, shape: shapeOf(positions) };
}
