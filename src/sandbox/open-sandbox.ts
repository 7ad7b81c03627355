// The sandbox: the platform on your own machine, in the neutral dialect. README.md in this folder says how a request
// goes through it.
import { listenProblem } from '../model/text/address.js';
import { createAuthenticator, createServer } from './create-server.js';
import { FaultGate, Faults } from './faults.js';
import { type Invoice, makeInvoice } from './ledger/invoice.js';
import { Account, type LedgerReader } from './ledger/ledger.js';
import { openRecords } from './sandbox-context.js';
import { type SandboxOptions, settleOptions } from './sandbox-options.js';
import { Traffic } from './traffic.js';
import { Webhooks } from './webhooks/webhooks.js';

export type { SandboxOptions } from './sandbox-options.js';

export interface Sandbox {
  /** The base address, without a slash at its end. */
  readonly url: string;
  readonly ledger: LedgerReader;
  /** The list of what it has charged, wrong on purpose for this share of the enrichments, 0 to 1. */
  invoice(share: number): Invoice;
  /** Closes without waiting for deliveries and repeats. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the emulator and resolves once it listens.
 * @throws SluiceError `usage` for an impossible option or an address that is taken, `store` for a ledger file that
 * cannot be read
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settleOptions(options);
  const { host, port, knows, moved, seed, now, terms, slowMs, credits } = settings;
  const { atOnce, dialect, webhookSecret } = settings;
  const traffic = new Traffic(settings.rate, settings.measured);
  const isAuthorised = createAuthenticator(settings);
  const faults = new Faults(settings.faultSeed, settings.faults);
  const faultGate = new FaultGate({ faults, traffic, slowMs });
  const records = openRecords(settings, traffic);
  const { ledger } = records;
  const account = new Account({ credits, ledger, prices: dialect.prices, now });
  const people = { asks: dialect.asks, knows, moved, seed };
  const webhooks = new Webhooks({ ...records, now, people, faults, terms, webhookSecret });
  const base = { ...records, now, people, dialect, atOnce };
  const context = { ...base, account, webhooks, faults, faultGate, traffic, isAuthorised };
  const server = createServer(context);
  const close = once(async () => {
    faultGate.close();
    webhooks.close();
    await server.close().finally(() => records.close());
  });

  try {
    const url = await server.listen({ host, port });
    webhooks.resume();
    const invoice = (share: number) => {
      const entries = ledger.entries({ limit: Number.POSITIVE_INFINITY }) ?? [];
      return makeInvoice(entries, { seed, prices: dialect.prices, share, now: now() });
    };
    return { url, ledger, invoice, close };
  } catch (cause) {
    await close();
    throw listenProblem({ host, port }, cause, { what: 'The sandbox cannot listen', flag: 'port' });
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
