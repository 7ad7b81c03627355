// A sandbox for one test: any free port, a clock that stands still until it is moved, no limit unless asked for.
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { LedgerSummary } from '../../src/sandbox/ledger/ledger.js';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/open-sandbox.js';

export interface TestSandbox extends Sandbox {
  readonly clock: { now: number };
  /** With credentials, unless `headers` say otherwise. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** POST or PUT of a body as JSON. */
  send(method: string, path: string, body: unknown): Promise<Response>;
  /** Resolves once the ledger looks as wanted. @throws Error where it does not for a minute. */
  until(isSo: (summary: LedgerSummary) => boolean): Promise<LedgerSummary>;
  /** POST /enrich; the parsed body, whose id is empty when there is none. */
  enrich(query: Readonly<Record<string, string>>): Promise<{ id: string; error?: string }>;
}

const TICKET = z.object({ id: z.string().default(''), error: z.string().exactOptional() });

export const AUTHORIZATION = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;

export async function startSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const clock = { now: Date.UTC(2025, 0, 1) };
  const sandbox = await openSandbox({
    rate: 'off',
    now: () => clock.now,
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(sandbox.url + path, { headers: { authorization: AUTHORIZATION }, ...init });
  return {
    ...sandbox,
    clock,
    call,
    send: (method, path, body) =>
      call(path, {
        method,
        headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    until: async (isSo) => {
      const untilMs = performance.now() + 60_000;
      for (;;) {
        const summary = sandbox.ledger.summary();
        if (isSo(summary)) return summary;
        if (performance.now() > untilMs) {
          throw new Error(`It never came to that: ${JSON.stringify(summary)}`);
        }
        // A real request: everything else gets its turn meanwhile.
        await fetch(`${sandbox.url}/sandbox/health`);
      }
    },
    enrich: async (query) => {
      const answer = await call(`/enrich?${new URLSearchParams(query).toString()}`, {
        method: 'POST',
      });
      return TICKET.parse(await answer.json());
    },
  };
}

/** Time that goes on, where a test is about waiting. */
export const realTime = { now: () => performance.timeOrigin + performance.now() };

export const JANE = {
  findEmail: 'true',
  firstName: 'Jane',
  lastName: 'Doe',
  companyDomain: 'acme.com',
} as const;
