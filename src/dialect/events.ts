// The names of the platform's events that are not the documented ones.
import * as z from 'zod';
import { EVENT_CATALOGUE } from '../model/events/event-catalogue.js';
import type { WebhookSection } from './answer.js';
import { KEYS } from './keys.js';

const name = z.string().min(1).max(100).register(KEYS, { form: 'name' }).exactOptional();

export const eventsSchema = z
  .strictObject(Object.fromEntries(EVENT_CATALOGUE.map(({ type }) => [type, name])))
  .prefault({});

interface Names {
  readonly events: Readonly<Partial<Record<string, string>>>;
  readonly answer: { readonly webhook: WebhookSection };
}

/** The platform's name of an event; the two types of results may also be named in `answer.webhook.types`, in order. */
export function eventOnWire(type: string, { answer, events }: Names): string {
  const own = events[type];
  const { types } = answer.webhook;
  if (own !== undefined || types.includes(type)) return own ?? type;
  const [done = type, failed = done] = types;
  if (type === 'enrichmentDone') return done;
  return type === 'enrichmentError' ? failed : type;
}

/** Gives our name of the platform's event; a name that the dialect does not know is the same on both sides. */
export function wireReader(names: Names): (type: string) => string {
  // If one name stands for two events, the first counts.
  const types = EVENT_CATALOGUE.map(({ type }) => type).toReversed();
  const ours = new Map(types.map((type) => [eventOnWire(type, names), type]));
  return (type) => ours.get(type) ?? type;
}

/** As `wireReader`, for one event. */
export function eventOfWire(type: string, names: Names): string {
  return wireReader(names)(type);
}

export function resultTypes({ answer, events }: Names): ReadonlySet<string> {
  const { enrichmentDone, enrichmentError } = events;
  const own = [enrichmentDone, enrichmentError].filter((type) => type !== undefined);
  return new Set([...answer.webhook.types, ...own]);
}
