// The model: what has to hold after every command, in plain code. It knows what the ledgers took on and what the
// tables say, and nothing of how Sluice does it.

import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import type { LeadAnswer } from '../../src/model/answer.js';
import type { Ask } from '../../src/model/ask.js';
import { decideHits, priceAnswer } from '../../src/sandbox/answers/decide-outcome.js';
import { holdsAll } from '../../src/sandbox/ledger/fingerprint-request.js';
import type { JobName, Wish } from './steps.js';
import { type Bought, type Entry, type Kind, linesOf, type SeenRun } from './world.js';

const SEED = 1;
/** Of Sluice's own for an answer that came without one. */
const OWN_TICKET = 'at once';

/** A person, as one account knows that one. */
type Who = string;
/** One ask about such a person: what is paid for once. */
type Part = string;
/** All that a lead asks of such a person, for which newer answers replace older ones. */
type Question = string;

interface Payment extends Entry {
  readonly who: Who;
  readonly price: number;
  /** The asks of which its fate does not count any more: the user had them asked again, or removed what was known. */
  readonly gone: Set<Ask>;
}

/** The answer to a ticket, as a row has shown it. */
interface Answer {
  readonly status: 'found' | 'not_found' | 'failed';
  readonly at: number;
}

interface SeenRow {
  readonly who: Who;
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

function whoOf(account: number, person: number): Who {
  return `${account} ${person}`;
}

function partOf(who: Who, ask: Ask): Part {
  return `${who} ${ask}`;
}

function questionOf(who: Who, ask: readonly Ask[]): Question {
  return `${who} ${[...ask].sort().join(',')}`;
}

/** Two accounts may hand out the same one. */
function ticketOf(who: Who, ticket: string): string {
  return `${who.split(' ')[0]} ${ticket}`;
}

/** The asks that a row has a value for. */
function valuesOf({ ask, result }: LeadAnswer): Ask[] {
  return ask.filter((one) => valueOf(one, result) !== undefined);
}

function valueOf(ask: Ask, result: LeadAnswer['result']): unknown {
  switch (ask) {
    case 'find_email':
      return result?.find_email?.email;
    case 'find_phone':
      return result?.find_phone?.phone;
    default:
      return result?.social_enrichment;
  }
}

function isAnswer(status: string): status is 'found' | 'not_found' {
  return status === 'found' || status === 'not_found';
}

function time(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}

export class Model {
  readonly #payments = new Map<Who, Payment[]>();
  readonly #byTicket = new Map<string, Payment>();
  /** What is known of a ticket, once a row has shown it. */
  readonly #settled = new Map<string, Answer>();
  /** The newest answer to each question. */
  readonly #answers = new Map<Question, Answer>();
  readonly #rows = new Map<string, SeenRow>();
  /** By person, domain and ask. */
  readonly #values = new Map<string, string>();
  /** The user said that these may be paid for once more. */
  readonly #mayRepay = new Set<Part>();
  /** What was taken from tables, and when. */
  readonly #bought = new Map<Part, { readonly at: number; readonly since: number }[]>();
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

  constructor(private readonly kind: Kind = 'later') {}

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
      const who = whoOf(account, person);
      const price = priceAnswer(
        { inputs: inputsOf(person, domain), ask },
        { seed: SEED },
        NEUTRAL_DIALECT.prices,
      );
      const payment = { ...entry, who, price, gone: new Set<Ask>() };
      this.#payments.set(who, [...(this.#payments.get(who) ?? []), payment]);
      this.#byTicket.set(ticketOf(who, entry.ticket), payment);
      return payment;
    });
  }

  /**
   * No ask of a person is paid again while an answer to it is fresh for the run that asks, or its fate is unknown,
   * whatever was asked with it. An answer may have come to light after the command began and before it asked: so the
   * tables are looked at first.
   */
  paid(payments: readonly Payment[], askings: readonly Asking[]): void {
    for (const asking of askings) if (asking.resend) this.#mayResend(asking, payments);
    const spent = new Map<Asking, number>();
    for (const entry of payments) {
      const { account, ask, person, price } = entry;
      const asking = [...askings, ...this.late].filter(
        (one) => one.account === account && holdsAll(one.asksOf(person), ask),
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
      const freshForMs = Math.min(...asking.map((one) => one.freshForMs));
      for (const one of ask) this.#judgePart(entry, one, freshForMs);
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

  /** One ask of a payment against what was paid for it before. */
  #judgePart(entry: Payment, ask: Ask, freshForMs: number): void {
    const { at, person, who } = entry;
    const isExcused = this.#mayRepay.delete(partOf(who, ask));
    // Of a command that died a request may have left before.
    const bought = (this.#bought.get(partOf(who, ask)) ?? []).find(
      (one) => one.since < at && one.at >= at - freshForMs,
    );
    demand(
      bought === undefined || isExcused || this.late.length > 0,
      () =>
        `${ask} of person ${person} is known from a table since ${time(bought?.at ?? 0)}, and was paid at ${time(at)} by a run with a fresh-for of ${freshForMs} ms`,
    );
    for (const payment of this.#counting(who, ask)) {
      if (payment === entry) return;
      payment.gone.add(ask);
      if (isExcused) continue;
      const known = this.#answerOf(payment);
      const since = known?.at ?? Number.POSITIVE_INFINITY;
      demand(since < at - freshForMs, () =>
        known === undefined || since > at
          ? `paid twice while its fate was unknown: ${ask} of person ${person}, ${time(payment.at)} and ${time(at)}`
          : `paid twice while fresh: ${ask} of person ${person} was ${known.status} at ${time(since)}, and paid again at ${time(at)} by a run with a fresh-for of ${freshForMs} ms`,
      );
    }
  }

  /** The payments for an ask whose fate counts, oldest first. */
  #counting(who: Who, ask: Ask): Payment[] {
    return (this.#payments.get(who) ?? []).filter(
      (one) => one.ask.includes(ask) && !one.gone.has(ask),
    );
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
        const who = whoOf(accountOf(one), person);
        row = { ...row, ticket: this.#ledgerTicket(who, row) };
        this.#judgeRow(where, `${run.id} ${row.position}`, who, person, row, known);
        if (row.ticket !== null) {
          const ticket = ticketOf(who, row.ticket);
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
    who: Who,
    { ask, enrichedAt, reason, source, status, ticket }: LeadAnswer,
  ): string | null {
    const isForgotten = reason?.startsWith('forgotten') === true;
    const isRefused =
      this.kind === 'at once' && ticket === null && status === 'failed' && !isForgotten;
    if (!isRefused && ticket?.startsWith(OWN_TICKET) !== true) return ticket;
    const at = enrichedAt ?? Number.POSITIVE_INFINITY;
    const isOwn = isRefused || source === 'api';
    const payment = this.#payments
      .get(who)
      ?.findLast(
        (one) =>
          one.at <= at && (isOwn ? holdsAll(ask, one.ask) : one.ask.some((it) => ask.includes(it))),
      );
    if (payment !== undefined && isRefused) for (const one of payment.ask) payment.gone.add(one);
    return payment?.ticket ?? null;
  }

  #judgeRow(
    where: string,
    id: string,
    who: Who,
    person: number,
    row: LeadAnswer,
    known: ReadonlyMap<Question, Answer>,
  ): void {
    const { ask, askedAgain, status, ticket } = row;
    const question = questionOf(who, ask);
    const truth = truthOf(person, ask, row.inputs.companyDomain);
    const before = this.#rows.get(id) ?? { who, least: known.get(question) };
    const { least } = before;
    // A row that shows a part, and is in doubt about the rest, has no time of its own.
    const at = row.enrichedAt ?? (row.askedAgain === undefined ? 0 : (least?.at ?? 0));
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
      this.#judgeValues(where, who, person, row, truth.hits);
      before.least = { status, at };
    }
    if (status === 'failed' && ticket !== null) {
      demand(
        truth.status === 'failed' || this.hasForgotten,
        () => `${where} is failed, and the platform says ${truth.status}`,
      );
    }
    this.#rows.set(id, before);
    if (ticket === null || (!isAnswer(status) && status !== 'failed')) return;
    const payment = this.#byTicket.get(ticketOf(who, ticket));
    if (payment === undefined && this.hasForgotten) return;
    demand(
      payment?.who === who && payment.ask.some((one) => ask.includes(one)),
      () => `${where} has the answer of ${ticket}, which is ${payment?.who} ${payment?.ask.join()}`,
    );
    const answer = this.#answers.get(question);
    if (isAnswer(status) && (answer === undefined || answer.at < at)) {
      this.#answers.set(question, { status, at });
    }
    // What is shown beside a newer request may be of several.
    if (askedAgain !== undefined || payment === undefined) return;
    const settled = this.#answerOf(payment);
    if (settled === undefined || settled.at <= at) {
      this.#settled.set(ticketOf(who, ticket), { status, at });
    }
    if (row.source === 'api' && !this.hasForgotten) {
      demand(
        row.credits === payment.price,
        () => `${where} reports ${row.credits} credits, and cost ${payment.price}`,
      );
    }
  }

  /** The values of a row are those that the platform has, and none is missing whose ask is answered. */
  #judgeValues(
    where: string,
    who: Who,
    person: number,
    row: LeadAnswer,
    hits: readonly Ask[],
  ): void {
    const values = valuesOf(row);
    demand(
      holdsAll(hits, values),
      () => `${where} has ${values.join()}, and the platform ${hits.join()}`,
    );
    demand(
      (row.status === 'found') === values.length > 0,
      () => `${where} is ${row.status}, and has ${values.join()}`,
    );
    for (const ask of row.ask) {
      const value = valueOf(ask, row.result);
      if (value === undefined) {
        const isOpen =
          this.hasForgotten ||
          row.askedAgain !== undefined ||
          this.#counting(who, ask).some((one) => this.#answerOf(one) === undefined);
        demand(
          (isOpen && row.status === 'found') || !hits.includes(ask),
          () => `${where} is ${row.status} without ${ask}, which the platform has`,
        );
        continue;
      }
      const asked = `${person} ${row.inputs.companyDomain} ${ask}`;
      const text = JSON.stringify(value);
      const first = this.#values.get(asked) ?? text;
      demand(first === text, () => `${where} has the ${ask} ${text}, and it was ${first}`);
      this.#values.set(asked, text);
    }
  }

  /** --resend-uncertain: what has an unknown fate may be sent once more, by this run or whoever takes it over. */
  #mayResend({ account, asksOf, persons }: Asking, now: readonly Payment[]): void {
    for (const person of persons) {
      const who = whoOf(account, person);
      for (const ask of asksOf(person)) {
        const first = now.find((payment) => payment.who === who && payment.ask.includes(ask));
        const isUnknown = (payment: Payment): boolean =>
          !now.includes(payment) && (this.#answerOf(payment)?.at ?? Infinity) > (first?.at ?? 0);
        if (this.#counting(who, ask).some(isUnknown)) this.#mayRepay.add(partOf(who, ask));
      }
    }
  }

  #answerOf({ ticket, who }: Payment): Answer | undefined {
    return this.#settled.get(ticketOf(who, ticket));
  }

  /** The user wants leads of a run asked for again, and said that it may cost. */
  retried({ run, rows }: SeenRun, account: number, only: 'failed' | 'uncertain'): void {
    for (const { ask: asks, position } of rows) {
      const person = linesOf(jobOf(run.job))[position - 1] ?? null;
      if (person === null) continue;
      const who = whoOf(account, person);
      for (const ask of asks) {
        const last = this.#payments.get(who)?.findLast((one) => one.ask.includes(ask));
        if (last === undefined) continue;
        const status = this.#answerOf(last)?.status;
        if (status === (only === 'failed' ? 'failed' : undefined)) {
          this.#mayRepay.add(partOf(who, ask));
        }
      }
    }
  }

  imported(account: number, { ask, at, person }: Bought, since: number): void {
    const part = partOf(whoOf(account, person), ask);
    this.#bought.set(part, [...(this.#bought.get(part) ?? []), { at, since }]);
  }

  /** What was stale then may be paid for again, by whoever asks. */
  pruned(staleBefore: number): void {
    for (const job of this.#unfinished.keys()) this.#unfinished.set(job, Number.NaN);
    for (const [part, all] of this.#bought) {
      this.#bought.set(
        part,
        all.filter(({ at }) => at >= staleBefore),
      );
    }
    for (const [key, { at }] of this.#answers) if (at < staleBefore) this.#answers.delete(key);
    for (const payment of this.#byTicket.values()) {
      const known = this.#answerOf(payment);
      if (known === undefined || known.at >= staleBefore) continue;
      for (const ask of payment.ask) payment.gone.add(ask);
    }
  }

  forgot(person: number): void {
    this.hasForgotten = true;
    const isTheirs = (who: Who): boolean => who.endsWith(` ${person}`);
    for (const question of this.#answers.keys()) {
      if (question.split(' ')[1] === String(person)) this.#answers.delete(question);
    }
    for (const part of this.#bought.keys()) {
      if (part.split(' ')[1] === String(person)) this.#bought.delete(part);
    }
    for (const [id, { who }] of this.#rows) if (isTheirs(who)) this.#rows.delete(id);
    for (const payment of this.#byTicket.values()) {
      if (!isTheirs(payment.who) || this.#answerOf(payment) !== undefined) continue;
      this.#settled.set(ticketOf(payment.who, payment.ticket), {
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
