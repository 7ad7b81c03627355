import type { Dialect } from '../../dialect/dialect.js';
import { shapeOf } from '../../model/columns/positions.js';
import { filesAtEnd, type OutputPlan, type RunPlan } from '../../model/run.js';
import { expandListName, hasPlaceholder } from '../../model/text/placeholders.js';
import { highestPrice } from '../../model/verdict.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { ListPlan } from '../../run/list-leads.js';
import type { AskingTerms } from '../../run/run-context.js';
import { nameTables } from '../files/name-table.js';
import { addressDigest } from '../platform/account.js';
import { paceOf } from '../run/how-to-ask.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { Portion } from './drop-portions.js';

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
    ...(budget === undefined ? {} : { budget }),
    ...(caps === undefined ? {} : { caps }),
    ...(credit === undefined ? {} : { credit }),
    prices,
    output: output ?? planOutput(settings, reader, startedAt),
  };
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
