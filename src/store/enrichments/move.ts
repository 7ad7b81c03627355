// Transitions that the state alone decides: one guarded statement for an event, made from the table of arrows. Nothing is
// read before, and a row in another state stays as it is.
import { type SendEvent, statesOf, targetOf } from '../../model/enrichment/arrows.js';
import type { Row, Sql } from '../sql.js';

/** Moves enrichments in the order of their ids, and returns those that moved. `key`: what each is found by. */
export async function moveAll<One extends { readonly id: number }>(
  sql: Sql,
  event: SendEvent,
  all: readonly One[],
  toRow: (one: One) => Row,
  key: readonly string[] = ['id'],
): Promise<One[]> {
  const state = targetOf(event);
  const ones = all.toSorted((a, b) => a.id - b.id);
  const from = statesOf(event).map((one) => `t.state = '${one}'`);
  const places = await sql.update(
    'enrichments',
    key,
    ones.map((one) => ({ ...toRow(one), state })),
    `(${from.join(' OR ')})`,
  );
  const moved = new Set(places);
  return ones.filter((_, i) => moved.has(i));
}
