import { SluiceError } from '../model/errors.js';
import type { Store } from '../ports/store/store.js';
import type { Sql } from './sql.js';

export type Mark =
  /**
   * It is on the way of each lead, and touches no more rows than its arguments say. In a file it shares its sync with
   * others, and fails once the reserve is given up.
   */
  | 'hot'
  /** It touches no more rows than its arguments say, however large a table is. */
  | 'bounded'
  /** It saves the answer to a paid request: in a file it may use the disk reserve. */
  | 'saving'
  /** It comes before a payment: a database refuses it if another server has taken the place of the state's own. */
  | 'paying'
  /** It concerns no run: a former holder of a job may still write it. */
  | 'unfenced'
  /** Its answer is good for seconds: a database that is gone is not waited for. */
  | 'brief'
  /** It notes what a reading command did: a state that was moved leaves it out. */
  | 'note';

type AnyWork = (sql: Sql, ...args: never[]) => Promise<unknown>;

export interface Verb<Work extends AnyWork = AnyWork> {
  readonly kind: 'read' | 'write';
  readonly marks: readonly Mark[];
  readonly work: Work;
}

type WorkOf<Call> = Call extends (...args: infer A) => Promise<infer R>
  ? (sql: Sql, ...args: A) => Promise<R>
  : never;

export type Verbs = { readonly [Name in keyof Store]: Verb<WorkOf<Store[Name]>> };

type Declared<Work> = readonly [...marks: Mark[], work: Work];

export function read<Work extends AnyWork>(...declared: Declared<Work>): Verb<Work> {
  return toVerb('read', declared);
}

export function write<Work extends AnyWork>(...declared: Declared<Work>): Verb<Work> {
  return toVerb('write', declared);
}

function toVerb<Work extends AnyWork>(kind: Verb['kind'], declared: Declared<Work>): Verb<Work> {
  return { kind, marks: declared.slice(0, -1) as Mark[], work: declared.at(-1) as Work };
}

export function callsOf<Names extends keyof Store>(
  verbs: Pick<Verbs, Names>,
  performer: (verb: Verb) => (work: (sql: Sql) => Promise<unknown>) => Promise<unknown>,
): Pick<Store, Names> {
  const calls = Object.entries<Verb>(verbs).map(([name, verb]) => {
    const perform = performer(verb);
    const call = (...args: never[]) => perform((sql) => verb.work(sql, ...args));
    return [name, verb.marks.includes('note') ? unlessMoved(call) : call] as const;
  });
  return Object.fromEntries(calls) as unknown as Pick<Store, Names>;
}

function unlessMoved(note: (...args: never[]) => Promise<unknown>) {
  return async (...args: never[]): Promise<void> => {
    try {
      await note(...args);
    } catch (error) {
      if (!(error instanceof SluiceError) || error.facts['moved_to'] === undefined) throw error;
    }
  };
}
