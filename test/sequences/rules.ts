// The model: what has to hold after every command, in plain code. It knows what the ledgers took on and what the
// tables say, and nothing of how Sluice does it.

import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import type { LeadAnswer } from '../../src/model/answer.js';
import type { Ask } from '../../src/model/ask.js';
import { decideHits, priceAnswer } from '../../src/sandbox/answers/decide-outcome.js';
import { holdsAll } from '../../src/sandbox/ledger/fingerprint-request.js';
import type { JobName, Wish } from './steps.js';
import { type Entry, type Kind, linesOf, type SeenRun } from './world.js';

const SEED = 1;
/** Of Sluice's own for an answer that came without one. */
const OWN_TICKET = 'at once';

/** What one person is to one account, asked for one thing: the identity of a payment. */
type Key = string;

interface Payment extends Entry {
  readonly key: Key;
  readonly price: number;
  /** Its fate does not count any more: the user had it asked again, or removed what was known of it. */
  isGone: boolean;
}

/** The answer to a ticket, as a row has shown it. */
interface Answer {
  readonly status: 'found' | 'not_found' | 'failed';
  readonly at: number;
}

interface SeenRow {
  readonly key: Key;
  /** What its answer must never fall behind; undefined where nothing was known yet. */
  least: Answer | undefined;
}

/** What the commands of one step asked for, together. */
export interface Asking {
  readonly account: number;
  readonly asksOf: (person: number) => readonly Ask[];
  readonly job: JobName;
  readonly persons: ReadonlySet<number>;
  readonly freshForMs: number;
  readonly resend: boolean;
  readonly budget: number | undefined;
}

export class BrokenRule extends Error {}

const IGNORED = new RegExp(process.env['SLUICE_MODEL_IGNORE'] ?? '^$');

export function demand(holds: boolean, sentence: string | (() => string)): void {
  if (holds) return;
  const text = typeof sentence === 'string' ? sentence : sentence();
  if (!IGNORED.test(text)) throw new BrokenRule(text);
}

function inputsOf(person: number, companyDomain = `firm${person}.com`) {
  return { firstName: `eve${person}`, lastName: 'byron', companyDomain };
}

/** What the platform knows of a person, whoever asks. */
function truthOf(person: number, ask: readonly Ask[], domain?: string) {
  const decision = decideHits({ inputs: inputsOf(person, domain), ask }, { seed: SEED });
  if (decision.kind === 'error') return { status: 'failed', hits: [] as readonly Ask[] } as const;
  const { hits } = decision;
  return { status: hits.length > 0 ? 'found' : 'not_found', hits } as const;
}

function keyOf(account: number, ask: readonly Ask[], person: number): Key {
  return `${account} ${[...ask].sort().join(',')} ${person}`;
}

/** What asks the same of the same person, and perhaps more. */
function isAsMuch(key: Key, as: Key): boolean {
  const [account, asks = '', person] = key.split(' ');
  const [sameAccount, fewer = '', samePerson] = as.split(' ');
  if (account !== sameAccount || person !== samePerson) return false;
  return holdsAll(asks.split(','), fewer.split(','));
}

/** Two accounts may hand out the same one. */
function ticketOf(key: Key, ticket: string): string {
  return `${key.slice(0, 1)} ${ticket}`;
}

function isAnswer(status: string): status is 'found' | 'not_found' {
  return status === 'found' || status === 'not_found';
}

function time(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}

export class Model {
  readonly #payments = new Map<Key, Payment[]>();
  readonly #byTicket = new Map<string, Payment>();
  /** What is known of a ticket, once a row has shown it. */
  readonly #settled = new Map<string, Answer>();
  /** The newest answer for each key. */
  readonly #answers = new Map<Key, Answer>();
  readonly #rows = new Map<string, SeenRow>();
  /** By person and domain. */
  readonly #emails = new Map<string, string>();
  /** The user said that these may be paid for once more. */
  readonly #mayRepay = new Set<Key>();
  /** What the runs of a job have spent since one finished; NaN where that is not known. */
  readonly #unfinished = new Map<JobName, number>();
  #seen: readonly SeenRun[] = [];
  readonly paused = new Set<JobName>();
  hasForgotten = false;
  /** The people who must never be asked for from then on. */
  readonly suppressed = new Set<number>();
  lastWish: Wish | undefined;
  /** Of commands that died: a request that had left may arrive when others are at work. */
  late: readonly Asking[] = [];
  /** Of all runs that ever began: so long an answer is not removed, whatever is told later. */
  longestFreshForMs = 0;
  /** How many leads must be in the list of a run that wanted one. */
  readonly listed = new Map<number, number>();
  /** Whether one may have been created of which no run knows. */
  mayLackList = false;
  /** What the table of each job was asked for last. */
  readonly tables = new Map<JobName, string>();

  constructor(
    private readonly kind: Kind = 'later',
    private readonly isTimeHeld = true,
  ) {}

  get runs(): readonly SeenRun[] {
    return this.#seen;
  }

  /** Whether any row was ever answered. */
  get hasAnswers(): boolean {
    return this.#answers.size > 0;
  }

  /** What all payments so far cost, as far as they are ready. */
  get charged(): number {
    return [...this.#byTicket.values()].reduce((sum, { price }) => sum + price, 0);
  }

  /** How many there were so far. */
  get payments(): number {
    return this.#byTicket.size;
  }

  /** What the ledgers have taken on, before the tables are looked at. */
  take(entries: readonly Entry[]): Payment[] {
    return entries.map((entry) => {
      const { account, ask, domain, person } = entry;
      const key = keyOf(account, ask, person);
      const price = priceAnswer(
        { inputs: inputsOf(person, domain), ask },
        { seed: SEED },
        NEUTRAL_DIALECT.prices,
      );
      const payment = { ...entry, key, price, isGone: false };
      this.#payments.set(key, [...(this.#payments.get(key) ?? []), payment]);
      this.#byTicket.set(ticketOf(key, entry.ticket), payment);
      return payment;
    });
  }

  /**
   * Nothing is paid again while an answer is fresh for the run that asks, or its fate is unknown. An answer may have
   * come to light after the command began and before it asked: so the tables are looked at first.
   */
  paid(payments: readonly Payment[], askings: readonly Asking[]): void {
    for (const asking of askings) if (asking.resend) this.#mayResend(asking, payments);
    const spent = new Map<Asking, number>();
    for (const entry of payments) {
      const { account, key, person, price } = entry;
      const asking = [...askings, ...this.late].filter(
        (one) => one.account === account && keyOf(account, one.asksOf(person), person) === key,
      );
      demand(
        asking.length > 0,
        () => `no run asked for person ${person}, and ${entry.ticket} was paid`,
      );
      // A request that had left before may arrive later.
      demand(
        !this.suppressed.has(person) || this.late.length > 0,
        () => `person ${person} is suppressed, and ${entry.ticket} was paid`,
      );
      const all = this.#payments.get(key) ?? [];
      const counting = all.slice(0, all.indexOf(entry)).filter(({ isGone }) => !isGone);
      const freshForMs = Math.min(...asking.map((one) => one.freshForMs));
      const isExcused = this.#mayRepay.delete(key);
      if (!isExcused) this.#judgeWider(entry, payments, freshForMs);
      for (const payment of counting) {
        payment.isGone = true;
        if (isExcused) continue;
        const known = this.#answerOf(payment);
        const since = known?.at ?? Number.POSITIVE_INFINITY;
        demand(since < entry.at - freshForMs, () =>
          known === undefined || since > entry.at
            ? `paid twice while its fate was unknown: person ${person} (${key}), ${time(payment.at)} and ${time(entry.at)}`
            : `paid twice while fresh: person ${person} (${key}) was ${known.status} at ${time(since)}, and paid again at ${time(entry.at)} by a run with a fresh-for of ${freshForMs} ms`,
        );
      }
      for (const one of asking) spent.set(one, (spent.get(one) ?? 0) + price);
    }
    for (const [{ budget, job }, credits] of spent) {
      // It is not known which of several has paid.
      if (budget === undefined || askings.length + this.late.length > 1) continue;
      demand(credits <= budget, () => `${job} spent ${credits} credits of a budget of ${budget}`);
    }
    this.#judgeUnfinished(askings, spent);
    for (const { job } of askings) {
      const isAlone = askings.every((one) => one.job === job);
      demand(
        !isAlone || !this.paused.has(job) || payments.length === 0,
        () => `${job} is paused, and paid`,
      );
    }
  }

  /** Runs of a job that did not finish share a budget. Who paid is known where nobody else was at work. */
  #judgeUnfinished(askings: readonly Asking[], spent: ReadonlyMap<Asking, number>): void {
    const isKnown = askings.length + this.late.length === 1;
    for (const asking of [...askings, ...this.late]) {
      const { budget, job } = asking;
      const now = spent.get(asking) ?? 0;
      const before = this.#unfinished.get(job) ?? 0;
      const credits = isKnown ? before + now : Number.NaN;
      this.#unfinished.set(job, credits);
      if (budget === undefined || now === 0 || Number.isNaN(credits)) continue;
      demand(
        credits <= budget,
        () => `unfinished runs of ${job} spent ${credits} credits of a budget of ${budget}`,
      );
    }
    for (const job of this.#unfinished.keys()) {
      const last = this.#seen.findLast(({ run }) => jobOf(run.job) === job);
      if (last?.run.state === 'finished' || last?.run.state === 'cancelled') {
        this.#unfinished.delete(job);
      }
    }
  }

  /**
   * What a wider question has answered, or may, is not asked for by itself. Of one step, only an order by a time that
   * stands still while anything is under way is that in which they were sent.
   */
  #judgeWider(entry: Payment, now: readonly Payment[], freshForMs: number): void {
    const { at, key, person } = entry;
    const wider = this.#asMuch(key).filter(
      (one) =>
        one.key !== key &&
        !one.isGone &&
        (now.includes(one) ? this.isTimeHeld && one.at < at : one.at <= at),
    );
    for (const payment of wider) {
      const known = this.#answerOf(payment);
      const isOld = known !== undefined && known.at < at - freshForMs;
      demand(
        known?.status === 'failed' || isOld,
        () =>
          `person ${person} was paid for (${key}) at ${time(at)}, and the wider question ${payment.key} of ${time(payment.at)} was ${known === undefined ? 'open' : `${known.status} at ${time(known.at)}`}`,
      );
    }
  }

  /** Payments for this or a wider question, oldest first. */
  #asMuch(key: Key): Payment[] {
    return [...this.#payments]
      .flatMap(([other, payments]) => (isAsMuch(other, key) ? payments : []))
      .sort((a, b) => a.at - b.at);
  }

  /** No answer is ever worse than before, what is answered is true, and what it cost is what was charged. */
  looked(seen: readonly SeenRun[], accountOf: (run: SeenRun) => number): void {
    const known = new Map(this.#answers);
    const credits = new Map<string, number>();
    for (const one of seen) {
      const { run, rows, tally } = one;
      this.longestFreshForMs = Math.max(this.longestFreshForMs, run.freshForMs ?? 0);
      const lines = linesOf(jobOf(run.job));
      const sum = rows.reduce((total, row) => total + row.credits, 0);
      demand(
        tally.credits === sum && tally.leads === rows.length,
        () =>
          `run ${run.id} counts ${tally.leads} leads and ${tally.credits} credits, and its rows ${rows.length} and ${sum}`,
      );
      for (const [status, leads] of Object.entries(tally.byStatus)) {
        const count = rows.filter((row) => row.status === status).length;
        demand(
          leads === count,
          () => `run ${run.id} counts ${leads} ${status}, and its rows ${count}`,
        );
      }
      for (const shown of rows) {
        let row = shown;
        const where = `run ${run.id} of ${jobOf(run.job)}, lead ${row.position}`;
        const person = lines[row.position - 1];
        if (person === undefined) throw new BrokenRule(`${where}: there is no such line`);
        if (person === null) {
          demand(
            row.status === 'skipped',
            () => `${where} is ${row.status}, and cannot be asked for`,
          );
          continue;
        }
        // How many are asked is judged at the end of a run.
        if (row.status === 'not_asked') continue;
        if (this.suppressed.has(person)) {
          const isForgotten = row.reason?.startsWith('forgotten') === true;
          demand(
            (row.status === 'skipped' || isForgotten) && row.result === null,
            () => `${where} is ${row.status}, and its person is suppressed`,
          );
          continue;
        }
        const key = keyOf(accountOf(one), row.ask, person);
        row = { ...row, ticket: this.#ledgerTicket(key, row) };
        this.#judgeRow(where, `${run.id} ${row.position}`, key, person, row, known);
        if (row.ticket !== null) {
          const ticket = ticketOf(key, row.ticket);
          credits.set(ticket, (credits.get(ticket) ?? 0) + row.credits);
        }
      }
    }
    for (const [ticket, sum] of credits) {
      const price = this.#byTicket.get(ticket)?.price;
      // What is forgotten keeps its cost, and not its ticket.
      if (price === undefined) continue;
      demand(sum <= price, () => `${ticket} cost ${price} credits, and ${sum} are reported`);
    }
    this.#seen = seen;
  }

  /**
   * A platform that answers at once hands out no ticket: the answer is that of the newest payment until then. A failure is
   * a refusal there, which costs nothing, and may be asked again by any run.
   */
  #ledgerTicket(
    key: Key,
    { enrichedAt, reason, source, status, ticket }: LeadAnswer,
  ): string | null {
    const isForgotten = reason?.startsWith('forgotten') === true;
    const isRefused =
      this.kind === 'at once' && ticket === null && status === 'failed' && !isForgotten;
    if (!isRefused && ticket?.startsWith(OWN_TICKET) !== true) return ticket;
    const at = enrichedAt ?? Number.POSITIVE_INFINITY;
    const isOwn = isRefused || source === 'api';
    const payments = isOwn ? this.#payments.get(key) : this.#asMuch(key);
    const payment = payments?.findLast((one) => one.at <= at);
    if (payment !== undefined && isRefused) payment.isGone = true;
    return payment?.ticket ?? null;
  }

  #judgeRow(
    where: string,
    id: string,
    key: Key,
    person: number,
    row: LeadAnswer,
    known: ReadonlyMap<Key, Answer>,
  ): void {
    const { ask, status, ticket } = row;
    const domain = row.inputs.companyDomain;
    const truth = truthOf(person, ask, domain);
    const at = row.enrichedAt ?? 0;
    const before = this.#rows.get(id) ?? { key, least: known.get(key) };
    const { least } = before;
    demand(status !== 'skipped', () => `${where} is skipped`);
    if (least !== undefined) {
      demand(
        isAnswer(status),
        () => `${where} is ${status}, and was ${least.status} since ${time(least.at)}`,
      );
      const isOlder = at < least.at || (at === least.at && status !== least.status);
      demand(
        !isOlder,
        () => `${where} is ${status} of ${time(at)}, and was ${least.status} of ${time(least.at)}`,
      );
    }
    if (isAnswer(status)) {
      demand(
        status === truth.status,
        () => `${where} is ${status}, and the platform says ${truth.status}`,
      );
      before.least = { status, at };
      const email = row.result?.find_email?.email;
      const wasFound = truth.hits.includes('find_email');
      demand(
        (email !== undefined) === wasFound,
        () => `${where} has the e-mail ${email}, and it was ${wasFound ? '' : 'not '}found`,
      );
      if (email !== undefined) {
        const asked = `${person} ${domain}`;
        const first = this.#emails.get(asked) ?? email;
        demand(first === email, () => `${where} has the e-mail ${email}, and it was ${first}`);
        this.#emails.set(asked, email);
      }
    }
    if (status === 'failed' && ticket !== null) {
      demand(
        truth.status === 'failed' || this.hasForgotten,
        () => `${where} is failed, and the platform says ${truth.status}`,
      );
    }
    this.#rows.set(id, before);
    if (ticket !== null && (isAnswer(status) || status === 'failed')) {
      const payment = this.#byTicket.get(ticketOf(key, ticket));
      if (payment === undefined && this.hasForgotten) return;
      demand(
        payment !== undefined && isAsMuch(payment.key, key),
        () => `${where} has the answer of ${ticket}, which is ${payment?.key}`,
      );
      this.#settled.set(ticketOf(key, ticket), { status, at });
      const answer = this.#answers.get(key);
      if (isAnswer(status) && (answer === undefined || answer.at < at)) {
        this.#answers.set(key, { status, at });
      }
      if (row.source === 'api' && payment !== undefined && !this.hasForgotten) {
        demand(
          row.credits === payment.price,
          () => `${where} reports ${row.credits} credits, and cost ${payment.price}`,
        );
      }
    }
  }

  /** --resend-uncertain: what has an unknown fate may be sent once more, by this run or whoever takes it over. */
  #mayResend({ account, asksOf, persons }: Asking, now: readonly Payment[]): void {
    for (const person of persons) {
      const key = keyOf(account, asksOf(person), person);
      const before = this.#asMuch(key).filter((payment) => !now.includes(payment));
      const [first] = now.filter((payment) => payment.key === key);
      const isUnknown = (payment: Payment): boolean =>
        !payment.isGone && (this.#answerOf(payment)?.at ?? Infinity) > (first?.at ?? 0);
      if (before.some(isUnknown)) this.#mayRepay.add(key);
    }
  }

  #answerOf({ key, ticket }: Payment): Answer | undefined {
    return this.#settled.get(ticketOf(key, ticket));
  }

  /** The user wants leads of a run asked for again, and said that it may cost. */
  retried({ run, rows }: SeenRun, account: number, only: 'failed' | 'uncertain'): void {
    for (const { ask, position } of rows) {
      const person = linesOf(jobOf(run.job))[position - 1] ?? null;
      if (person === null || ask.length === 0) continue;
      const key = keyOf(account, ask, person);
      const last = this.#asMuch(key).at(-1);
      if (last === undefined) continue;
      const status = this.#answerOf(last)?.status;
      if (status === (only === 'failed' ? 'failed' : undefined)) this.#mayRepay.add(key);
    }
  }

  /** What was stale then may be paid for again, by whoever asks. */
  pruned(staleBefore: number): void {
    for (const job of this.#unfinished.keys()) this.#unfinished.set(job, Number.NaN);
    for (const [key, { at }] of this.#answers) if (at < staleBefore) this.#answers.delete(key);
    for (const payment of this.#byTicket.values()) {
      const known = this.#answerOf(payment);
      if (known !== undefined && known.at < staleBefore) payment.isGone = true;
    }
  }

  forgot(person: number): void {
    this.hasForgotten = true;
    const isTheirs = (key: Key): boolean => key.endsWith(` ${person}`);
    for (const key of this.#answers.keys()) if (isTheirs(key)) this.#answers.delete(key);
    for (const [id, { key }] of this.#rows) if (isTheirs(key)) this.#rows.delete(id);
    for (const payment of this.#byTicket.values()) {
      if (!isTheirs(payment.key) || this.#answerOf(payment) !== undefined) continue;
      this.#settled.set(ticketOf(payment.key, payment.ticket), {
        status: 'failed',
        at: payment.at,
      });
    }
  }
}

/** A job's name is the path of its file, or the name of its job file. */
export function jobOf(name: string): JobName {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return (last.endsWith('.csv') ? last : `${last}.yaml`) as JobName;
}
