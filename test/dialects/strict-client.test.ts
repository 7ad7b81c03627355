// A client of BetterContact that takes what its documentation states and nothing else, on the sandbox of its dialect:
// https://github.com/bettercontactorg/docs, api-reference (openapi.json, statuses, errors, api_rate_limits, webhooks).
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { loadDialect } from '../../src/config/load-dialect.js';
import type { SandboxOptions } from '../../src/sandbox/open-sandbox.js';
import { openTestServer } from '../platform/test-server.js';
import { startSandbox } from '../sandbox/start-sandbox.js';

// What is optional here is described, and not said to be always there.
const ACCEPTED = z.strictObject({
  success: z.literal(true),
  id: z.string().min(1),
  message: z.string(),
});
const RUNNING = z.strictObject({
  id: z.string().min(1),
  status: z.enum(['not_started', 'processing']),
  message: z.string().optional(),
  credits_left: z.int().optional(),
});
const CUSTOM_FIELD = z.strictObject({
  name: z.string(),
  value: z.string(),
  position: z.int().optional(),
});
const EMAIL_STATUS = z.enum([
  'deliverable',
  'catch_all',
  'catch_all_safe',
  'catch_all_not_safe',
  'undeliverable',
  'not_found',
]);
/** "Every key is always present, with null when the value could not be found"; the client uses these. */
const CONTACT = z.object({
  enriched: z.boolean(),
  custom_fields: z.array(CUSTOM_FIELD),
  contact_email_address: z.string().nullable(),
  contact_email_address_status: EMAIL_STATUS.nullable(),
  contact_phone_number: z.string().nullable(),
});
const TERMINATED = z.strictObject({
  id: z.string().min(1),
  status: z.literal('terminated'),
  credits_consumed: z.int().optional(),
  credits_left: z.int().optional(),
  summary: z.object({ total: z.int() }).optional(),
  data: z.array(CONTACT).min(1),
});
const API_ERROR = z.strictObject({
  success: z.literal(false),
  error: z.string().optional(),
  message: z.string().optional(),
});
const UNKNOWN_ID = z.strictObject({ error: z.string() });

/** The client: each answer is read by its status, and by one schema. */
function clientOf(send: (path: string, init: RequestInit) => Promise<Response>) {
  const ask = async (path: string, body?: unknown) => {
    const headers = { 'X-API-Key': 'sandbox', 'Content-Type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await send(`/api/v2${path}`, { headers, ...init });
    if (answer.status === 429) {
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      throw new Error(await answer.text());
    }
    const told: unknown = await answer.json();
    if ([400, 402].includes(answer.status)) {
      const { error, message } = API_ERROR.parse(told);
      throw new Error(error ?? message);
    }
    if (answer.status === 406) throw new Error(UNKNOWN_ID.parse(told).error);
    return { status: answer.status, told };
  };
  return {
    submit: async (data: readonly object[], more: object = {}) => {
      const wish = { enrich_email_address: true, enrich_phone_number: false };
      const { status, told } = await ask('/async', { data, ...wish, ...more });
      expect(status).toBe(201);
      return ACCEPTED.parse(told).id;
    },
    /** The contacts; undefined while the request is running. */
    read: async (id: string) => {
      const { status, told } = await ask(`/async/${id}`);
      if (status !== 202) return TERMINATED.parse(told);
      RUNNING.parse(told);
      return undefined;
    },
  };
}

async function open(options: SandboxOptions = {}) {
  const dialect = await loadDialect('bettercontact');
  const sandbox = await startSandbox({ dialect, ...options });
  return { ...sandbox, ...clientOf((path, init) => sandbox.call(path, init)) };
}

/** None of these fails: the documentation does not say how a contact would. */
const leadsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    first_name: `Ada${i + 10}`,
    last_name: 'Lovelace',
    company_domain: 'engines.example',
    custom_fields: { uuid: `crm-${i}`, list_name: 'Q3 outbound' },
  }));

/** The client's own keys, which come back as a list. */
function fieldsOf({ custom_fields }: z.infer<typeof CONTACT>): Record<string, string> {
  return Object.fromEntries(custom_fields.map(({ name, value }) => [name, value]));
}

test('asks, waits and reads, and finds its own keys again', async () => {
  const { clock, read, submit } = await open({ latency: { medianMs: 60_000, sigma: 0.5 } });
  const leads = leadsOf(14);
  const id = await submit(leads);
  expect(await read(id)).toBeUndefined();
  // Some of them are ready: the request is terminated when all are.
  clock.now += 60_000;
  expect(await read(id)).toBeUndefined();
  clock.now += 3_600_000;
  const result = await read(id);
  expect(result?.id).toBe(id);
  const contacts = result?.data ?? [];
  expect(contacts.map(fieldsOf)).toEqual(leads.map(({ custom_fields }) => custom_fields));
  const told = contacts.map(({ enriched, contact_email_address: email }) => [enriched, email]);
  expect(told.filter(([enriched, email]) => enriched !== (email !== null))).toEqual([]);
  expect(new Set(told.map(([enriched]) => enriched))).toEqual(new Set([true, false]));
});

test('gets in a webhook what it would read', async () => {
  const target = await openTestServer((_, response) => response.end());
  onTestFinished(() => target.close());
  const { read, submit } = await open();
  const id = await submit(leadsOf(1), { webhook: target.url });
  await expect.poll(() => target.bodies.length).toBe(1);
  const delivered: unknown = JSON.parse(target.bodies[0]?.text ?? '');
  expect(TERMINATED.parse(delivered)).toEqual(await read(id));
});

test('is refused in the words of the platform', async () => {
  const { read, submit } = await open({ credits: 0, rate: { requests: 4, perMs: 60_000 } });
  await expect(submit(leadsOf(1))).rejects.toThrow('too few credits');
  await expect(submit([], { data: 'all' })).rejects.toThrow('an array at data');
  await expect(submit([{ first_name: 7 }])).rejects.toThrow('item 0.first_name');
  await expect(read('nobody')).rejects.toThrow('no enrichment');
  await expect(read('nobody')).rejects.toThrow(/^Retry later$/);
});
