// Attacks on a listener that is a process of its own, by a process of its own: each goes on until it is told to
// stop, but for those that send a certain number. Started with Orders; listener-attacks.test.ts does that.
import { once, setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ATTACKS, createChance, type Known, postAndStay, strike } from './attacks.js';

export interface Target extends Known {
  readonly port: number;
  /** Of leads that are not the one whose key is known. */
  readonly otherTickets: readonly string[];
}

export interface Orders {
  readonly attack: AttackName;
  readonly target: Target;
  /** How much is sent by those attacks that send a certain number. */
  readonly counts: Counts;
}

export interface Counts {
  readonly replays: number;
  readonly largeBodies: number;
}

/** What came back: how often each status did, and how many connections ended without an answer. */
export type Seen = Record<string, number>;

/** `begun` once every lane has come to the listener, `done` where a certain number has been sent. */
export type Told = 'begun' | 'done' | { readonly seen: Seen };

export const STOP = 'stop';

interface Field extends Orders {
  readonly stopped: AbortSignal;
  readonly seen: Seen;
  /** Tells that one of so many lanes has come to the listener. */
  arrive(lanes: number): void;
}

const BODY_BYTES = 8 * 2 ** 20;
const CONNECTIONS = 600;
/** An attacker from far away needs this long for a new connection; without it two cores would do nothing else. */
const RENEW_MS = 100;
const BYTE_MS = 500;
/** What one read of a socket brings at most. */
const CHUNK_BYTES = 65_536;
const REPLAY_BYTES = 16_384;

export type AttackName = keyof typeof LISTENER_ATTACKS;

export const LISTENER_ATTACKS = {
  none: async (field: Field) => field.arrive(1),

  /** Answered before the gate sees it. */
  'expect-banana': (field: Field) =>
    hold(field, (socket) => {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: banana\r\ncontent-length: 0\r\n\r\n');
    }),

  'slow-headers': (field: Field) =>
    hold(field, (socket) => {
      socket.write('POST / HTTP/1.1\r\nx: ');
      const dripping = setInterval(() => socket.write('y'), BYTE_MS);
      socket.on('close', () => clearInterval(dripping));
    }),

  'requests-in-one-chunk': (field: Field) => {
    const request = 'GET / HTTP/1.1\r\nhost:\r\n\r\n';
    const chunk = request.repeat(Math.floor(CHUNK_BYTES / request.length));
    return hold(field, (socket) => socket.write(chunk), 100);
  },

  'one-key-many-connections': (field: Field) =>
    hold(field, (socket) => socket.write(postAndStay('{}', field.target.keys.enrichment))),

  'many-values': (field: Field) => {
    const body = filled('[', '{},', '{}]');
    return send(field, 2, () => body);
  },

  deep: (field: Field) => {
    const bodies = [Buffer.alloc(BODY_BYTES, '['), filled('[', `${nested(63)},`, `${nested(63)}]`)];
    return send(field, 2, (n) => bodies[n % 2]);
  },

  large: (field: Field) => send(field, 2, (n) => oneString(`large ${n}`)),

  replay: (field: Field) => {
    const body = JSON.stringify(resultOf('enr_of_nobody', 'x'.repeat(REPLAY_BYTES)));
    return send(field, 16, (n) => (n < field.counts.replays ? body : undefined));
  },

  'events-by-lead-key': (field: Field) =>
    send(field, 2, (n) => {
      const event = (i: number) =>
        `{"_id":"act_${n}_${i}","type":"emailsSent","createdAt":"2025-01-01T00:00:00Z"}`;
      const size = event(99_999).length + 2;
      const events = Array.from({ length: Math.floor(BODY_BYTES / size) }, (_, i) => event(i));
      return `[${events.join()}]`;
    }),

  'other-leads': (field: Field) => {
    const { otherTickets } = field.target;
    const results = otherTickets.map((ticket) => resultOf(ticket).data[0]);
    const all = JSON.stringify({ type: 'enrichmentDone', data: results });
    const each = otherTickets.map((ticket) => JSON.stringify(resultOf(ticket)));
    return send(field, 4, (n) => (n % 50 === 0 ? all : each[n % each.length]));
  },

  'many-large-under-one-key': (field: Field) =>
    send(field, 2, (n) =>
      n < field.counts.largeBodies ? oneString(`one of many ${n}`) : undefined,
    ),

  mixed: async (field: Field) => {
    const { seen, stopped, target } = field;
    const chance = createChance(20_250_101);
    const draws = Object.values(ATTACKS);
    let next = 0;
    await inLanes(16, async () => {
      field.arrive(16);
      while (!stopped.aborted) {
        const draw = draws[next % draws.length];
        next += 1;
        if (draw !== undefined) noteAll(seen, await strike(target.port, draw(chance, target)));
      }
    });
  },
} satisfies Record<string, (field: Field) => Promise<void>>;

/** Of those that end by themselves, once they have sent it all. */
export const COUNTED: readonly AttackName[] = ['replay', 'many-large-under-one-key'];

/** A result as the platform delivers it. */
export function resultOf(ticket: string, email = 'mallory@example.com') {
  const data = { find_email: { email, status: 'deliverable' } };
  return { type: 'enrichmentDone', data: [{ id: ticket, data }] };
}

/** The largest body of these: a first piece, as many of the others as fit, a last one. */
function filled(first: string, each: string, last: string): Buffer {
  const count = Math.floor((BODY_BYTES - first.length - last.length) / each.length);
  return Buffer.from(first + each.repeat(count) + last);
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function oneString(name: string): Buffer {
  return filled(`{"${name}":"`, 'x', '"}');
}

/** Holds many connections at a time, and renews each that is closed. */
async function hold(
  field: Field,
  use: (socket: Socket) => void,
  connections = CONNECTIONS,
): Promise<void> {
  const { seen, stopped, target } = field;
  await inLanes(connections, async () => {
    while (!stopped.aborted) {
      const socket = connect(target.port, '127.0.0.1').setNoDelay();
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
      });
      await new Promise<void>((resolve) => {
        const end = () => socket.destroy();
        stopped.addEventListener('abort', end);
        socket.on('connect', () => {
          field.arrive(connections);
          use(socket);
        });
        socket.on('error', () => field.arrive(connections));
        socket.on('close', () => {
          stopped.removeEventListener('abort', end);
          resolve();
        });
      });
      noteAll(seen, text);
      await pause(RENEW_MS);
    }
  });
}

/** Sends bodies to the address of the one lead, over so many connections that are kept, until there are none. */
async function send(
  field: Field,
  lanes: number,
  bodyOf: (n: number) => string | Buffer | undefined,
): Promise<void> {
  const { seen, stopped, target } = field;
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const url = `http://127.0.0.1:${target.port}/${target.keys.enrichment}`;
  let next = 0;
  await inLanes(lanes, async () => {
    while (!stopped.aborted) {
      const body = bodyOf(next);
      if (body === undefined) return;
      next += 1;
      const status = await new Promise<number | undefined>((resolve) => {
        const headers = { 'content-length': Buffer.byteLength(body) };
        const sent = request(url, { agent, method: 'POST', headers, signal: stopped });
        sent.on('response', (response) => {
          response.resume().on('close', () => resolve(response.statusCode));
        });
        sent.on('error', () => resolve(undefined));
        sent.end(body);
        field.arrive(lanes);
      });
      note(seen, status);
      if (status === undefined) await pause(RENEW_MS);
    }
  });
  agent.destroy();
}

function noteAll(seen: Seen, text: string): void {
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)];
  for (const [, status] of statuses) note(seen, status);
  if (statuses.length === 0) note(seen, undefined);
}

function note(seen: Seen, status: string | number = 'none'): void {
  seen[status] = (seen[status] ?? 0) + 1;
}

async function inLanes(count: number, lane: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, lane));
}

/** The process: its orders are its argument, and what it is told later says when to end. */
async function attackAsOrdered(orders: Orders): Promise<void> {
  const tell = (told: Told) => void process.send?.(told);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  process.once('message', () => stopping.abort());
  process.once('disconnect', () => process.exit());
  let arrived = 0;
  const field: Field = {
    ...orders,
    stopped: stopping.signal,
    seen: {},
    arrive: (lanes) => {
      arrived += 1;
      if (arrived === lanes) tell('begun');
    },
  };
  const over = once(stopping.signal, 'abort');
  const attack = LISTENER_ATTACKS[orders.attack](field).then(() => tell('done'));
  // What a listener that hangs has not answered is not waited for.
  await Promise.race([over, attack]);
  await over;
  tell({ seen: field.seen });
}

const [, , orders] = process.argv;
if (orders?.startsWith('{') === true) await attackAsOrdered(JSON.parse(orders) as Orders);
