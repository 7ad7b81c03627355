// The one error that stops a run. An expected failure of a single lead is a value, never an error.

/**
 * The kind of failure; the command line maps each code to one exit code.
 * - `usage`: the command, the job file or the configuration
 * - `input`: the lead file
 * - `platform`: credentials, unreachable, or an answer that is not the protocol
 * - `store`: the state
 * - `output`: writing a table failed half-way
 * - `budget`: going on could cost more than the budget allows
 * - `cap`: going on could cost more than a day or a month may cost, or ask more than the platform allows in a day
 * - `hit-rate`: the platform finds less than the job wants
 * - `cancelled`: the run was cancelled
 * - `paused`: the job was paused
 * - `busy`: another process works on the same job and state
 */
export type ErrorCode =
  | 'usage'
  | 'input'
  | 'platform'
  | 'store'
  | 'output'
  | 'budget'
  | 'cap'
  | 'hit-rate'
  | 'cancelled'
  | 'paused'
  | 'busy';

/** The facts of an error that its callers need beside its code. Never a credential, never a person. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | null>>;

interface ErrorOptions {
  readonly cause?: unknown;
  /** What to do about it with a flag, a key of the job or a command, none of which a page has. */
  readonly way?: string;
  /** The end of the message if it quotes an input, which may be a lead if the header is missing. */
  readonly aside?: string;
}

/** An error whose message is one sentence or two: what failed, on which thing, and what to do. */
export class SluiceError extends Error {
  override readonly name = 'SluiceError';
  /** The message without its way and its aside. */
  readonly problem: string;
  /** The message without its aside, as a log may hold it. */
  readonly logged: string;

  constructor(
    readonly code: ErrorCode,
    problem: string,
    readonly facts: ErrorFacts = {},
    { aside, way, ...options }: ErrorOptions = {},
  ) {
    const logged = sentencesOf(problem, way);
    super(sentencesOf(logged, aside), options);
    this.problem = problem;
    this.logged = logged;
  }

  /** The same failure with one more sentence, from a caller that knows its meaning. */
  amended(sentence: string, facts: ErrorFacts = {}): SluiceError {
    const { way } = this.#ends();
    return this.#retold(this.code, this.problem, { facts, way: sentencesOf(way, sentence) });
  }

  /** The same failure as one of the input; `where` names the files. */
  ofInput(where: string): SluiceError {
    return this.#retold('input', `${where}: ${this.problem}`);
  }

  /** The same failure of one part of a whole, which `part` names. */
  ofPart(part: string, facts: ErrorFacts): SluiceError {
    return this.#retold(this.code, `${part}: ${this.problem}`, { facts });
  }

  #ends() {
    const { logged, message, problem } = this;
    return { way: logged.slice(problem.length + 1), aside: message.slice(logged.length + 1) };
  }

  #retold(
    code: ErrorCode,
    problem: string,
    { facts = {}, ...more }: { readonly facts?: ErrorFacts; readonly way?: string } = {},
  ): SluiceError {
    const options = { ...this.#ends(), ...more, cause: this };
    return new SluiceError(code, problem, { ...this.facts, ...facts }, options);
  }
}

function sentencesOf(...all: readonly (string | undefined)[]): string {
  return all.filter(Boolean).join(' ');
}

/** `ENOENT` and the like; undefined if the error is not a system call's or a stream's. */
export function errnoOf(cause: unknown): string | undefined {
  const isCoded = typeof cause === 'object' && cause !== null && 'code' in cause;
  return isCoded && typeof cause.code === 'string' ? cause.code : undefined;
}

/** What the work gives; undefined if a SluiceError ends it. */
export async function unlessRefused<R>(work: () => Promise<R>): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SluiceError) return undefined;
    throw error;
  }
}

/** The error of code `usage` that has nothing else to tell. */
export function wrongUse(message: string): SluiceError {
  return new SluiceError('usage', message);
}
