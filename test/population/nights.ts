// Files of several nights, read by one process or two that take turns, claim by claim. The platform is a table.
import type { Ask, InputName, Inputs } from '../../src/model/ask.js';
import { INPUTS } from '../../src/model/ask.js';
import type { Result } from '../../src/model/result.js';
import type { Run } from '../../src/model/run.js';
import { hitsOf, partOf } from '../../src/model/verdict.js';
import type { AskedLead, ClaimedEnrichment } from '../../src/ports/store/enrichments.js';
import type { Store } from '../../src/ports/store/store.js';
import { toLeadEntry } from '../../src/run/to-lead-entry.js';
import { COLUMNS, runPlan } from '../helpers/leads.js';
import { TERMS } from '../helpers/test-run.js';
import { type Cells, type Line, NIGHTS, type Random } from './people.js';

const START = 1_700_000_000_000;
const NIGHT_MS = 86_400_000;
const ASKS: readonly (readonly Ask[])[] = [
  ['find_email'],
  ['find_phone'],
  ['find_email', 'find_phone'],
  ['find_email', 'social_enrichment', 'find_phone'],
  ['social_enrichment'],
];
const MAPPING = INPUTS.map((input, index) => ({
  input,
  column: { key: input, name: input },
  index,
  isGuessed: false,
}));

/** The same for whoever reads it. */
function spell(cells: Cells, random: Random): (string | null)[] {
  const wild = (text: string): string =>
    [text, text.toUpperCase(), text.toLowerCase(), ` ${text} `][random(4)] as string;
  const ways: Readonly<Record<InputName, (text: string) => string>> = {
    firstName: (text) => `${random(5) === 0 ? 'Dr. ' : ''}${wild(text)}`,
    lastName: (text) => `${wild(text)}${random(5) === 0 ? ', PhD' : ''}`,
    companyDomain: (text) =>
      [text, `https://www.${text}/about`, `WWW.${text}`][random(3)] as string,
    companyName: (text) => `${wild(text)}${['', ' GmbH', ', Inc.'][random(3)]}`,
    email: wild,
    socialUrl: (text) =>
      [text, text.replace('www.', 'uk.'), `${text}/en?trk=x`, `${text}/details/skills/`][
        random(4)
      ] as string,
  };
  return INPUTS.map((name) => {
    const text = cells[name];
    return text === undefined ? null : ways[name](text);
  });
}

interface Placed {
  readonly line: Line;
  readonly lead: AskedLead;
}

interface Desk {
  readonly store: Store;
  readonly run: Run;
  readonly placed: readonly Placed[];
  taken: number;
}

export interface Told {
  /** Sentences about what did not hold. */
  readonly broken: string[];
  payments: number;
  leads: number;
}

/** Plays all nights over the stores, which are handles of one state. */
export async function playNights(
  stores: readonly Store[],
  lines: readonly Line[],
  random: Random,
): Promise<Told> {
  const told: Told = { broken: [], payments: 0, leads: 0 };
  /** Payments of a subject and an ask. */
  const paid = new Map<string, number>();
  const lineOf = new Map<string, Line>();
  const values = new Map<number, Set<string>>();
  for (const { finds, subject } of lines) {
    const known = values.get(subject.id) ?? new Set<string>();
    values.set(subject.id, known);
    for (const one of Object.values(finds)) known.add(JSON.stringify(one));
  }
  let at = START;

  const placeAll = (night: number, of: number): Placed[] => {
    const tonight = lines.filter(
      (line) => line.night === night || (line.night < night && random(5) < 3),
    );
    const ask = ASKS[random(ASKS.length)] as readonly Ask[];
    const mine = tonight
      // With two, each has most of it, and together they have all.
      .filter(
        ({ subject }) => stores.length === 1 || random(4) > 0 || subject.id % stores.length === of,
      )
      .map((line) => ({ line, place: random(1_000_000) }))
      .toSorted((a, b) => a.place - b.place);
    return mine.map(({ line }, i): Placed => {
      const cells = spell(line.cells, random);
      const record = { source: 0, line: i + 2, cells };
      const terms = { ...TERMS, ask: line.ask ?? ask };
      const lead = toLeadEntry(record, i + 1, MAPPING, terms);
      if (lead.kind !== 'asked') throw new Error(`${JSON.stringify(cells)}: ${lead.note}`);
      lineOf.set(nameOf(lead.request.inputs), line);
      return { line, lead };
    });
  };

  for (let night = 0; night < NIGHTS; night += 1) {
    const desks: Desk[] = [];
    for (const [i, store] of stores.entries()) {
      const run = await store.startRun(runPlan({ job: `job ${i}` }), at);
      desks.push({ store, run, placed: placeAll(night, i), taken: 0 });
    }
    const sent: { store: Store; one: ClaimedEnrichment }[] = [];
    const batch = Math.max(5, Math.ceil(lines.length / 50));
    const idle = new Set<Desk>();
    while (idle.size < desks.length) {
      at += 400;
      const times = { at, freshSince: START - 1, deadlineAt: at + NIGHT_MS };
      const desk = desks[random(desks.length)] as Desk;
      const { placed, run, store } = desk;
      const leads = placed.slice(desk.taken, desk.taken + batch).map(({ lead }) => lead);
      if (leads.length > 0 && random(2) === 0) {
        await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, times);
        desk.taken += leads.length;
        told.leads += leads.length;
        idle.clear();
        continue;
      }
      const { claimed, waiting } = await store.claim(run.id, batch, at, { look: times });
      for (const one of claimed) {
        const { ask, inputs } = one.request;
        const line = lineOf.get(nameOf(inputs)) as Line;
        for (const single of ask) {
          const key = `${line.subject.id} ${single}`;
          const times = (paid.get(key) ?? 0) + 1;
          paid.set(key, times);
          told.payments += 1;
          if (times > line.subject.payments) {
            told.broken.push(`${line.subject.name}: ${single} is paid for ${times} times`);
          }
        }
        sent.push({ store, one });
      }
      // Some of what is under way is answered.
      const ending =
        leads.length === 0 && claimed.length === 0 ? sent.length : random(sent.length + 1);
      const answered = sent.splice(0, ending);
      for (const { one, store: of } of answered) await answer(of, one, at);
      const isIdle =
        leads.length === 0 && claimed.length + waiting + answered.length + sent.length === 0;
      if (isIdle) idle.add(desk);
      else idle.clear();
    }
    for (const { placed, run, store } of desks) {
      await store.finishReading(run.id);
      await store.endRun(run.id, 'finished', at);
      await judge(store, run, placed);
    }
    at += NIGHT_MS;
  }
  return told;

  async function answer(store: Store, one: ClaimedEnrichment, now: number): Promise<void> {
    const { ask } = one.request;
    const finds = (lineOf.get(nameOf(one.request.inputs)) as Line).finds;
    const result: Result = partOf(ask, one.request, finds);
    const { id, send } = one;
    await store.recordSubmits([
      {
        id,
        send,
        at: now,
        kind: 'accepted',
        ticket: `enr_${id}`,
        pollAt: now,
        deadlineAt: now + NIGHT_MS,
      },
    ]);
    const isFound = Object.keys(result).length > 0;
    await store.settle([
      { id, at: now, outcome: isFound ? 'found' : 'not_found', result, credits: 1 },
    ]);
  }

  /** Every row has all that is there, and nothing of another one. */
  async function judge(store: Store, run: Run, placed: readonly Placed[]): Promise<void> {
    const rows = await store.answers(run.id, { after: 0, limit: placed.length + 1 });
    for (const { ask, position, result, status } of rows) {
      const { lead, line } = placed[position - 1] as Placed;
      const { name, id } = line.subject;
      const found = Object.entries(result ?? {}).map(([block, value]) => ({
        block,
        text: JSON.stringify(value),
      }));
      for (const { block, text } of found) {
        if (values.get(id)?.has(text) !== true)
          told.broken.push(`${name}: has another’s ${block}, ${text}`);
      }
      const hits = hitsOf({ ...lead.request, ask }, line.finds);
      if (found.length < hits.length) {
        told.broken.push(`${name}: is ${status}, and has ${found.length} of ${hits.join()}`);
      }
    }
  }
}

function nameOf(inputs: Inputs): string {
  return JSON.stringify(INPUTS.map((name) => inputs[name] ?? null));
}
