// The sandbox: the platform on your own machine. Wires ledger, limit and routes to one HTTP server.
// The wire is platform-api.md's to the letter, and design.md's neutral dialect where that document is silent.
import { SluiceError } from '../domain/errors.js';
import type { RateLimit } from '../domain/terms.js';
import { createAuthenticator } from './authenticate.js';
import { createServer } from './create-server.js';
import { checkLatency, type Latency } from './draw-latency.js';
import { type LedgerReader, openLedger } from './ledger.js';
import { Traffic } from './traffic.js';

export interface SandboxOptions {
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default `sandbox`; may be empty, may not hold a colon. */
  readonly username?: string;
  /** Default `sandbox`. */
  readonly password?: string;
  /** Every answer and every latency is a function of the inputs and this integer. Default 1. */
  readonly seed?: number;
  /** How long an enrichment takes, log-normally. Default: ready at once. */
  readonly latency?: Latency;
  /** Default 20 requests in any 2,000 ms, all platform routes together. */
  readonly rate?: RateLimit | 'off';
  /** NDJSON that is only ever appended to; what was accepted survives the process. */
  readonly ledgerFile?: string;
  /** Milliseconds since the Unix epoch; never goes backwards. */
  readonly now?: () => number;
}

export interface Sandbox {
  /** Without a slash at its end; the `base_url` of platform-api.md. */
  readonly url: string;
  readonly ledger: LedgerReader;
  /** Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_RATE: RateLimit = { requests: 20, perMs: 2000 };

/**
 * Starts the emulator and resolves once it listens.
 * @throws SluiceError `usage` for an option that cannot be or an address that is taken, `store` for a
 * ledger file that cannot be read
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? steadyNow;
  const seed = checkSeed(options.seed ?? 1);
  const latency = checkLatency(options.latency ?? { medianMs: 0, sigma: 0 });
  const rate = options.rate ?? DEFAULT_RATE;
  const traffic = new Traffic(rate === 'off' ? null : rate, rate === 'off' ? DEFAULT_RATE : rate);
  const isAuthorised = createAuthenticator(options.username, options.password);
  const ledger = openLedger({ seed, latency, traffic, now, file: options.ledgerFile });
  const server = createServer({ now, seed, ledger, traffic, isAuthorised });

  const host = options.host ?? '127.0.0.1';
  const port = options.port ?? 0;
  try {
    const url = await server.listen({ host, port });
    return { url, ledger, close: once(() => server.close().finally(() => ledger.close())) };
  } catch (cause) {
    ledger.close();
    const message = `The sandbox cannot listen on ${host}:${port}: ${String(cause)}. Choose another port or host.`;
    throw new SluiceError('usage', message, { host, port }, { cause });
  }
}

function checkSeed(seed: number): number {
  if (Number.isSafeInteger(seed)) return seed;
  throw new SluiceError('usage', `The sandbox seed ${seed} is no whole number; give one.`, {
    seed,
  });
}

// Date.now can step back when the machine's clock is set; a window measured with it would let too much through.
function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
