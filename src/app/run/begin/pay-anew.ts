// Refuses to pay anew, without the user's word, for leads that are known: under another account of its address, or
// under inputs that were guessed otherwise. It looks for them before the run begins, if there is such an account or
// guess at all.

import { SluiceError } from '../../../model/errors.js';
import type { Run, RunPlan } from '../../../model/run.js';
import type { PaidAnew } from '../../../model/tally.js';
import { formatCount } from '../../../model/text/count.js';
import type { LeadReader } from '../../../ports/lead-reader.js';
import type { LeadEntry } from '../../../ports/store/enrichments.js';
import type { Store } from '../../../ports/store/store.js';
import { KnownElsewhere } from '../../../run/known-elsewhere.js';
import { type LeadBatchOptions, mappedBatches, toIngestBatch } from '../../../run/lead-batches.js';
import type { AskingTerms } from '../../../run/run-context.js';
import { ADDRESS } from '../../../run/waterfall/step-lead.js';
import { SANDBOX_URL } from '../../settings/environment.js';
import type { JobSettings } from '../../settings/job-settings.js';

interface Beginning {
  readonly settings: Pick<JobSettings, 'freshForMs' | 'limit' | 'payAnew' | 'url'>;
  readonly plan: RunPlan;
  readonly terms: AskingTerms;
  /** The run that is continued. */
  readonly open: Run | null;
  readonly startedAt: number;
}

const ACCOUNTS_MAX = 8;
const MAPPINGS_MAX = 8;
const TOLD_MAX = 3;

/** Undefined if there is nowhere else to look, if nothing is paid for, or if the user has agreed before. */
export async function openElsewhere(
  store: Store,
  { open, plan, settings, startedAt, terms }: Beginning,
): Promise<KnownElsewhere | undefined> {
  if (settings.url === SANDBOX_URL || open?.paysAnew === true || open?.state === 'working') {
    return undefined;
  }
  const accounts = await otherAccounts(store, plan);
  const mappings = await store.mappings(plan.job, MAPPINGS_MAX);
  if (accounts.length === 0 && mappings.length === 0) return undefined;
  const freshSince = startedAt - settings.freshForMs;
  const afterPosition = open?.leadCount ?? 0;
  return new KnownElsewhere({ store, terms, accounts, mappings, freshSince, afterPosition });
}

/** The other accounts of the same address. */
async function otherAccounts(store: Store, { account: own, address: here }: RunPlan) {
  const all = await store.accounts();
  return all
    .filter(({ account, address }) => account !== own && address === here)
    .slice(0, ACCOUNTS_MAX);
}

interface Asked extends Beginning {
  readonly reader: LeadReader;
  /** Aborts when there is no time to wait for the input any more. */
  readonly drain: AbortSignal;
  /** Asks the user; undefined if no user can be asked. */
  readonly mayPayAnew: (sentence: string) => Promise<boolean | undefined>;
}

/**
 * Reads through the input before a run is begun. An input that can be read only once, and columns that come later, are
 * checked while they are read. Returns the reader to begin with, and whether the user has agreed.
 * @throws SluiceError `usage` if leads are known elsewhere and the user has not agreed; the reader throws it later
 */
export async function lookElsewhere(
  store: Store,
  asked: Asked,
): Promise<{ readonly reader: LeadReader; readonly paysAnew: boolean }> {
  const { drain, mayPayAnew, plan, reader, settings, terms } = asked;
  if (settings.payAnew) return { reader, paysAnew: true };
  const elsewhere = await openElsewhere(store, asked);
  if (elsewhere === undefined) return { reader, paysAnew: false };
  const mapped = { terms, afterPosition: asked.open?.leadCount ?? 0, limit: settings.limit };
  const later = { reader: lookAsRead(elsewhere, asked, mapped), paysAnew: false };
  if (plan.signature === null) return later;
  for await (const batch of mappedBatches(reader, { ...mapped, onMapped: unheard })) {
    if (drain.aborted || !elsewhere.mayKnow(batch)) return later;
    await elsewhere.lookAt(toIngestBatch(batch, mapped));
  }
  return { reader, paysAnew: await agreed(elsewhere.found, mayPayAnew) };
}

/** The columns of addresses that steps have found. */
const ADDRESSES = { columns: [{ name: 'email', key: 'email' }], mapping: ADDRESS };

/** Looks at the leads of a waterfall's step as they come, by the columns of the run that holds them. */
export async function lookAsFed(
  store: Store,
  held: number,
  asked: Omit<Asked, 'drain' | 'reader'>,
): Promise<(leads: readonly LeadEntry[]) => Promise<void>> {
  const elsewhere = asked.settings.payAnew ? undefined : await openElsewhere(store, asked);
  let paysAnew = false;
  return async (leads) => {
    if (elsewhere === undefined || paysAnew) return;
    const batch = asked.terms.ask.includes('verify_email')
      ? { ...ADDRESSES, leads: leads.map(withAddress), rejects: [] }
      : {
          columns: (await store.findRun(held))?.columns ?? [],
          mapping: await store.mappingOf(held),
          leads: leads.map(withWanted),
          rejects: [],
        };
    if (!elsewhere.mayKnow(batch)) return;
    await elsewhere.lookAt(batch);
    paysAnew = await agreed(elsewhere.found, asked.mayPayAnew);
  };
}

/** A step that verifies asks about an address that another one has found. */
function withAddress(lead: LeadEntry): LeadEntry {
  return lead.kind === 'asked' ? { ...lead, cells: [lead.request.inputs.email ?? ''] } : lead;
}

/** A step asks for what is still open. */
function withWanted(lead: LeadEntry): LeadEntry {
  return lead.kind === 'asked' ? { ...lead, wanted: lead.request.ask } : lead;
}

/** A reader that checks each batch before it is handed on. */
function lookAsRead(
  elsewhere: KnownElsewhere,
  { mayPayAnew, reader }: Asked,
  mapped: Pick<LeadBatchOptions, 'afterPosition' | 'limit' | 'terms'>,
): LeadReader {
  return {
    ...reader,
    async *batches() {
      let paysAnew = false;
      for await (const batch of mappedBatches(reader, { ...mapped, onMapped: unheard })) {
        if (!paysAnew && elsewhere.mayKnow(batch)) {
          await elsewhere.lookAt(toIngestBatch(batch, mapped));
          paysAnew = await agreed(elsewhere.found, mayPayAnew);
        }
        yield batch;
      }
    },
  };
}

function unheard(): void {}

/**
 * Whether the user has agreed; false if there is nothing to agree to.
 * @throws SluiceError `usage`
 */
async function agreed(
  found: readonly PaidAnew[],
  mayPayAnew: Asked['mayPayAnew'],
): Promise<boolean> {
  if (found.length === 0) return false;
  const error = refusal(found);
  const answer = await mayPayAnew(error.message);
  if (answer === true) return true;
  if (answer === undefined) throw error;
  throw new SluiceError('usage', 'Nothing is paid for anew, since the answer was no.', error.facts);
}

function refusal(found: readonly PaidAnew[]): SluiceError {
  const leads = found.reduce((sum, one) => sum + one.leads, 0);
  const ways = found
    .slice(0, TOLD_MAX)
    .map(({ keep, known, leads: some, run }) => `${keep} (${some} ${known}, as in run ${run})`);
  const more = found.length > TOLD_MAX ? ' "sluice plan" tells of the others.' : '';
  return new SluiceError(
    'usage',
    `${formatCount(leads, 'lead is', 'leads are')} known already and would be paid for anew: --pay-anew (or pay-anew: true in the job) says yes to that.`,
    { paidAnew: leads },
    // The aside quotes names of columns: if the header is missing, those may be a lead.
    { aside: `The known values are kept by ${ways.join(', by ')}.${more}` },
  );
}
