// Refuses to pay again, without the user's word, for leads that are known under another account of the address. It looks
// for them before the run begins, if there is such an account at all.

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
import { SANDBOX_ACCOUNT } from '../../platform/account.js';
import type { RunTask } from '../run-options.js';

export interface Beginning {
  readonly plan: RunPlan;
  readonly terms: AskingTerms;
  readonly open: Run | null;
  readonly startedAt: number;
}

const ACCOUNTS_MAX = 8;
const TOLD_MAX = 3;

/**
 * Undefined if there is nowhere else to look, if nothing is paid for, or if the user has agreed before. `own` are further
 * accounts of the job.
 */
export async function openElsewhere(
  store: Store,
  { open, plan, startedAt, terms }: Beginning,
  own: readonly string[] = [],
): Promise<KnownElsewhere | undefined> {
  const { account, address, freshForMs } = plan;
  const isSandbox = address === SANDBOX_ACCOUNT;
  if (isSandbox || open?.paysAnew === true || open?.state === 'working') return undefined;
  const accounts = (await store.accounts())
    .filter((other) => ![account, ...own].includes(other.account) && other.address === address)
    .slice(0, ACCOUNTS_MAX);
  if (accounts.length === 0) return undefined;
  const freshSince = startedAt - freshForMs;
  const afterPosition = open?.leadCount ?? 0;
  return new KnownElsewhere({ store, terms, accounts, freshSince, afterPosition });
}

/**
 * Reads through the input before a run is begun. An input that can be read only once, and columns that come later, are
 * checked while they are read. Returns the reader to begin with, and whether the user has agreed.
 * @throws SluiceError `usage` if leads are known elsewhere and the user has not agreed; the reader throws it later
 */
export async function lookElsewhere(
  { drain, mayPayAnew, settings: { limit, payAnew } }: RunTask,
  store: Store,
  reader: LeadReader,
  beginning: Beginning,
): Promise<{ readonly reader: LeadReader; readonly paysAnew: boolean }> {
  if (payAnew) return { reader, paysAnew: true };
  const elsewhere = await openElsewhere(store, beginning);
  if (elsewhere === undefined) return { reader, paysAnew: false };
  const { open, plan, terms } = beginning;
  const options = { terms, afterPosition: open?.leadCount ?? 0, limit };
  const later = { reader: lookAsRead(reader, options, elsewhere, mayPayAnew), paysAnew: false };
  if (plan.signature === null) return later;
  for await (const batch of mappedBatches(reader, options)) {
    if (drain.aborted) return later;
    await elsewhere.lookAt(toIngestBatch(batch, options).leads);
  }
  return { reader, paysAnew: await agreed(elsewhere.found, mayPayAnew) };
}

/** Looks at the leads of a waterfall's step as they come. `own` are the accounts of its steps. */
export async function lookAsFed(
  { mayPayAnew, settings }: RunTask,
  store: Store,
  own: readonly string[],
  beginning: Beginning,
): Promise<(leads: readonly LeadEntry[]) => Promise<void>> {
  const elsewhere = settings.payAnew ? undefined : await openElsewhere(store, beginning, own);
  let paysAnew = false;
  return async (leads) => {
    if (elsewhere === undefined || paysAnew) return;
    await elsewhere.lookAt(leads);
    paysAnew = await agreed(elsewhere.found, mayPayAnew);
  };
}

function lookAsRead(
  reader: LeadReader,
  options: LeadBatchOptions,
  elsewhere: KnownElsewhere,
  mayPayAnew: RunTask['mayPayAnew'],
): LeadReader {
  return {
    ...reader,
    async *batches() {
      let paysAnew = false;
      for await (const batch of mappedBatches(reader, options)) {
        if (!paysAnew) {
          await elsewhere.lookAt(toIngestBatch(batch, options).leads);
          paysAnew = await agreed(elsewhere.found, mayPayAnew);
        }
        yield batch;
      }
    },
  };
}

/** False if there is nothing to agree to. @throws SluiceError `usage` */
async function agreed(
  found: readonly PaidAnew[],
  mayPayAnew: RunTask['mayPayAnew'],
): Promise<boolean> {
  if (found.length === 0) return false;
  const error = refusal(found);
  const answer = await mayPayAnew(error.message);
  if (answer === true) return true;
  if (answer === undefined) throw error;
  throw new SluiceError(
    'usage',
    'Nothing is paid for again, since the answer was no.',
    error.facts,
  );
}

function refusal(found: readonly PaidAnew[]): SluiceError {
  const leads = found.reduce((sum, one) => sum + one.leads, 0);
  const ways = found
    .slice(0, TOLD_MAX)
    .map(({ keep, leads: some, run }) => `${keep} (${some} as in run ${run})`);
  const more = found.length > TOLD_MAX ? ' "sluice plan" lists the others.' : '';
  return new SluiceError(
    'usage',
    `${formatCount(leads, 'lead is', 'leads are')} known under another account of this address, and would be paid for again: --set pay-anew=true, or the key pay-anew in the job, says yes to that.`,
    { paidAnew: leads },
    { aside: `Nothing is paid for them with ${ways.join(', or ')}.${more}` },
  );
}
