// What happens outside while a run is disturbed: persons, each with a fate of its own, that is the same
// whatever becomes of our processes.
import type { LeadReader } from '../../src/ports/lead-reader.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { people, readerOf } from '../helpers/people.js';
import type { DeliveryFate, ReadFate, Script, SubmitFate } from '../helpers/scripted-platform.js';
import { createWorld, deliverTo, type World } from '../helpers/test-run.js';
import { createChance } from './sweep.js';

export interface Mode {
  readonly name: string;
  /** Enrichments in one request. */
  readonly bulkMax: number;
  /** Whether webhooks bring the results; a poll is made at the deadline alone. */
  readonly isDelivered: boolean;
}

export interface Outside {
  readonly world: World;
  readonly reader: LeadReader;
  /** Whose webhook has come. */
  readonly delivered: ReadonlySet<string>;
  /** Who stood in a bulk call whose answer was lost. */
  readonly lostCalls: ReadonlySet<string>;
  /** Resolves when every webhook that is on its way has come. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const PERSONS = Array.from({ length: 14 }, (_, i) => `p${i}`);
export const LEAD_COUNT = PERSONS.length + 4;
const SUBMIT_MS = 20;
/** Every webhook is here after this, its repetition included. */
const DELIVERED_MS = 4_000;

function pick<T>(draw: () => number, list: readonly T[]): T {
  return list[Math.floor(draw() * list.length)] as T;
}

function repeat<T>(draw: () => number, max: number, one: () => T): T[] {
  return Array.from({ length: Math.floor(draw() * max) }, one);
}

/** What the platform says of one person. */
interface Person {
  /** To the n-th submit, and to all that follow the last one. */
  readonly submits: readonly SubmitFate[];
  readonly reads: readonly ReadFate[];
  readonly webhook: Webhook | undefined;
  /** Every bulk call with this person in it is refused. */
  readonly isPoison: boolean;
}

interface Webhook {
  readonly fate: DeliveryFate;
  readonly afterMs: number;
  readonly isRepeated: boolean;
}

const FATES = ['accepted', 'accepted', 'accepted', 'accepted', 'lost', 'refused'] as const;

function drawPerson(draw: () => number, { bulkMax, isDelivered }: Mode): Person {
  const unsent = repeat(draw, 2.4, () => pick(draw, ['unsent', 'throttled'] as const));
  const fate = pick(draw, FATES);
  const submits = bulkMax === 1 ? [...unsent, fate] : [fate];
  const isPoison = bulkMax > 1 && draw() < 0.1;
  if (!isDelivered) {
    const waits = repeat(draw, 3, () => pick(draw, ['pending', 'unknown', 'unavailable'] as const));
    const end = pick(draw, [
      ['filled'],
      ['filled'],
      ['empty', 'filled'],
      ['empty', 'empty'],
      ['failed'],
    ] as const);
    return { submits, reads: [...waits, ...end], webhook: undefined, isPoison };
  }
  // The webhook and the one poll at the deadline say the same, but for data that comes late.
  const [told, read] = pick(draw, [
    ['filled', 'filled'],
    ['filled', 'filled'],
    ['empty', 'filled'],
    ['empty', 'empty'],
    ['failed', 'failed'],
  ] as const);
  const isEarly = draw() < 0.2;
  const afterMs = isEarly ? SUBMIT_MS / 2 : Math.round(draw() * 3_000);
  const isRepeated = draw() < 0.3;
  const webhook = draw() < 0.15 ? undefined : { fate: told, afterMs, isRepeated };
  return { submits, reads: [read], webhook, isPoison };
}

/** `isCalm`: no bulk call fares otherwise than its persons do. */
export function createOutside(folder: string, seed: number, mode: Mode, isCalm: boolean): Outside {
  const draw = createChance(seed);
  const persons = new Map(PERSONS.map((who) => [who, drawPerson(draw, mode)]));
  const lines = [...PERSONS, '', pick(draw, PERSONS), pick(draw, PERSONS), pick(draw, PERSONS)];
  const troubles = repeat(draw, 4, () => pick(draw, ['lost', 'unsent', 'throttled'] as const));
  const delivered = new Set<string>();
  const lostCalls = new Set<string>();

  const after = <T>(list: readonly T[] | undefined, attempt: number): T =>
    (list?.[attempt - 1] ?? list?.at(-1)) as T;

  /** Webhooks of those that were accepted; the same said of several at the same time in one body. */
  const sendWebhooks = (who: readonly string[]): void => {
    const groups = new Map<string, { webhook: Webhook; members: string[] }>();
    for (const one of who) {
      const webhook = persons.get(one)?.webhook;
      if (webhook === undefined) continue;
      const group = groups.get(JSON.stringify(webhook)) ?? { webhook, members: [] };
      group.members.push(one);
      groups.set(JSON.stringify(webhook), group);
    }
    for (const { webhook, members } of groups.values()) {
      const body = world.platform.deliveryOf(members, webhook.fate);
      void keep(body, world.platform.callbackOf(members[0] as string), members, webhook);
    }
  };

  const keep = async (
    body: string,
    url: string,
    members: readonly string[],
    { afterMs, isRepeated }: Webhook,
  ): Promise<void> => {
    await world.clock.sleep(afterMs);
    await deliverTo(listener, world.clock.now(), body, url);
    for (const one of members) delivered.add(one);
    if (!isRepeated) return;
    await world.clock.sleep(500);
    await deliverTo(listener, world.clock.now(), body, url);
  };

  const script: Script = {
    submitMs: SUBMIT_MS,
    readMs: 10,
    pauseMs: 50,
    submit: (who, attempt) => {
      const fate = after(persons.get(who)?.submits, attempt);
      if (fate === 'accepted' || fate === 'lost') sendWebhooks([who]);
      return fate;
    },
    call: (who, nth) => {
      if (who.some((one) => persons.get(one)?.isPoison === true)) return 'refused';
      const fate = (isCalm ? undefined : troubles[nth - 1]) ?? 'answered';
      const isTaken = (one: string) => persons.get(one)?.submits.at(-1) !== 'refused';
      if (fate === 'lost') {
        for (const one of who) lostCalls.add(one);
        sendWebhooks(who.filter(isTaken));
      }
      return fate;
    },
    read: (who, attempt) => after(persons.get(who)?.reads, attempt),
  };
  const world = createWorld(folder, script);
  const listener = openSqliteStore(world.path);
  return {
    world,
    reader: readerOf(
      people(lines.slice(0, 7)),
      people(lines.slice(7, 13), 9),
      people(lines.slice(13), 15),
    ),
    delivered,
    lostCalls,
    drain: () => world.clock.advance(DELIVERED_MS),
    close: () => listener.close(),
  };
}
