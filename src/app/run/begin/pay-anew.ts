// Refuses to pay again, without the user's word, for leads that are known under another account of the address. It looks
// for them before the run begins, if there is such an account at all.

import { SluiceError } from '../../../model/errors.js';
import { canonicalText } from '../../../model/fingerprint.js';
import type { Run, RunPlan } from '../../../model/run.js';
import type { PaidAnew } from '../../../model/tally.js';
import { formatCount } from '../../../model/text/count.js';
import type { LeadReader } from '../../../ports/lead-reader.js';
import type { KnownAccount } from '../../../ports/store/accounts.js';
import type { AskedLead, LeadEntry } from '../../../ports/store/enrichments.js';
import type { Store } from '../../../ports/store/store.js';
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

export interface KnownElsewhere {
  lookAt(leads: readonly LeadEntry[]): Promise<void>;
  /** The accounts under which leads are known, those with most leads first. */
  found(): PaidAnew[];
}

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
  // The most likely first.
  const accounts = (await store.accounts())
    .filter((other) => ![account, ...own].includes(other.account) && other.address === address)
    .slice(0, ACCOUNTS_MAX);
  if (accounts.length === 0) return undefined;
  const counts = new Map<KnownAccount, number>();
  const openOf = async (leads: readonly AskedLead[], under: string) => {
    const states = await store.peek(under, leads, startedAt - freshForMs);
    return leads.flatMap((lead, i) => {
      const { asks = [], state } = states[i] ?? {};
      return state === 'new' ? [{ lead, asks }] : [];
    });
  };
  return {
    found: () =>
      Array.from(counts, ([other, leads]) => {
        return { leads, run: other.run, keep: `--account id-${other.account}` };
      }).sort((a, b) => b.leads - a.leads),
    lookAt: async (leads) => {
      const asked = leads.flatMap((lead) =>
        lead.kind === 'asked' && lead.position > (open?.leadCount ?? 0) ? lead : [],
      );
      let rest = await openOf(asked, account);
      for (const other of accounts) {
        if (rest.length === 0) return;
        const theirs = rest.map(({ lead }) => ({
          ...lead,
          fingerprint: terms.digest(canonicalText(lead.request, other.account, lead.definitions)),
        }));
        const left = await openOf(theirs, other.account);
        const asksOf = new Map(left.map(({ asks, lead }) => [lead.position, asks]));
        const unknown = rest.filter(({ asks, lead }) =>
          asks.every((ask) => asksOf.get(lead.position)?.includes(ask)),
        );
        const known = rest.length - unknown.length;
        if (known > 0) counts.set(other, (counts.get(other) ?? 0) + known);
        rest = unknown;
      }
    },
  };
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
  const later = {
    reader: lookAsRead(reader, options, asking(elsewhere, mayPayAnew)),
    paysAnew: false,
  };
  if (plan.signature === null) return later;
  for await (const batch of mappedBatches(reader, options)) {
    if (drain.aborted) return later;
    await elsewhere.lookAt(toIngestBatch(batch, options).leads);
  }
  return { reader, paysAnew: await agreed(elsewhere.found(), mayPayAnew) };
}

/** Looks at the leads of a waterfall's step as they come. `own` are the accounts of its steps. */
export async function lookAsFed(
  { mayPayAnew, settings }: RunTask,
  store: Store,
  own: readonly string[],
  beginning: Beginning,
): Promise<(leads: readonly LeadEntry[]) => Promise<void>> {
  const elsewhere = settings.payAnew ? undefined : await openElsewhere(store, beginning, own);
  return elsewhere === undefined ? async () => {} : asking(elsewhere, mayPayAnew);
}

/** Looks at leads until the user has agreed. */
function asking(elsewhere: KnownElsewhere, mayPayAnew: RunTask['mayPayAnew']) {
  let paysAnew = false;
  return async (leads: readonly LeadEntry[]): Promise<void> => {
    if (paysAnew) return;
    await elsewhere.lookAt(leads);
    paysAnew = await agreed(elsewhere.found(), mayPayAnew);
  };
}

function lookAsRead(
  reader: LeadReader,
  options: LeadBatchOptions,
  look: (leads: readonly LeadEntry[]) => Promise<void>,
): LeadReader {
  return {
    ...reader,
    async *batches() {
      for await (const batch of mappedBatches(reader, options)) {
        await look(toIngestBatch(batch, options).leads);
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
