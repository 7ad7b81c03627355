// Repeatable chance: a stream of numbers that depends only on the seed, a purpose and the inputs. Each purpose has its
// own stream, so a second ask, or a purpose added later, changes no answer.
import { createHash } from 'node:crypto';

export interface Draw {
  /** A number from 0 up to below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** mulberry32, started from SHA-256 of seed, purpose and identity (see `identifyInputs`). */
export function openDraw(seed: number, purpose: string, identity: string): Draw {
  const hash = createHash('sha256').update(`${purpose}\n${seed}\n${identity}`).digest();
  let state = hash.readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
  };
}
