// Creates a contact list, and puts the rows of a table into one: an enriched table by its columns, any other by its
// headers.

import { registrableDomain } from '../../identity/registrable-domain.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import { nameSource, STANDARD_INPUT } from '../../input/sources/source-name.js';
import { SluiceError } from '../../model/errors.js';
import type { Column, SourceRecord } from '../../model/lead.js';
import type { JudgedColumns } from '../../model/mapping/mapping.js';
import { tellColumns } from '../../model/mapping/tell-columns.js';
import { BadLineCounter } from '../../model/report/bad-lines.js';
import {
  type ContactList,
  failedAddition,
  type ListMember,
  memberOf,
} from '../../model/resources/contact-list.js';
import { exactText, type JsonValue } from '../../model/text/json.js';
import { expandListName } from '../../model/text/placeholders.js';
import { parseWhere, type Where } from '../../model/where/where.js';
import type { RecordBatch } from '../../ports/lead-reader.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import type { OutputColumn } from '../../ports/table-writer.js';
import { withoutSuppressed } from '../../run/list-leads.js';
import { judgeFirst } from '../plan/first-look.js';
import { takePermit } from './ask-platform.js';

export interface TableSource {
  /** The state, which knows who is suppressed. */
  readonly store: Store;
  readonly file: string;
  readonly where: string | undefined;
  readonly standardInput: AsyncIterable<Uint8Array>;
}

/**
 * Creates a list; `template` is its name, which may contain `{date}`. Two calls create two lists.
 * @throws SluiceError `usage` for a name that is not allowed; `platform`, which says if the list may exist nevertheless
 */
export async function createList(platform: Platform, template: string): Promise<ContactList> {
  const date = new Date().toISOString().slice(0, 10);
  const name = expandListName(template, { job: 'sluice', date });
  const answer = await platform.createList(name, await takePermit(platform, 'submit'));
  switch (answer.kind) {
    case 'created':
      return { id: answer.list.id, name };
    case 'uncertain':
      throw new SluiceError(
        'platform',
        `Whether the list "${name}" was created is not known: ${answer.reason}. Look it up on the platform before you create it again.`,
      );
    case 'refused':
      throw new SluiceError(
        'platform',
        `The platform refused the list "${name}": ${answer.reason}.`,
      );
    case 'unsent':
    case 'throttled':
      throw answer.problem;
  }
}

/** The columns of an enriched table. They come before columns that only have a similar name. */
const OWN_COLUMNS: Readonly<Record<keyof ListMember, string>> = {
  email: 'email',
  socialUrl: 'social_url',
  firstName: 'social_first_name',
  lastName: 'social_last_name',
  companyName: 'company_name',
};

/**
 * @throws SluiceError `input` for a table that cannot be read, `usage` for one without a column that identifies
 * people, `platform` for a failed call; people of earlier calls stay added
 */
export async function addTable(
  platform: Pick<Platform, 'addToList' | 'listAddMax'>,
  list: string,
  { file, where, standardInput, store }: TableSource,
) {
  const reader = await openLeadReader([file], { standardInput });
  // `repeated`: of a person of an earlier row; `skipped`: without a usable e-mail or profile address.
  const total = { rows: 0, added: 0, alreadyIn: 0, repeated: 0, suppressed: 0, skipped: 0 };
  // Rows whose cells are in doubt may or may not have been chosen: no person is added for them.
  const doubtful = new BadLineCounter();
  const rejects = new BadLineCounter();
  let rows: ListedRow[] = [];
  const seen = new Set<string | undefined>();
  let judged: JudgedColumns | undefined;
  const send = async (atLeast: number): Promise<void> => {
    while (rows.length >= Math.max(1, atLeast)) {
      const part = rows.slice(0, platform.listAddMax);
      rows = rows.slice(part.length);
      const members = await withoutSuppressed(store, part);
      total.suppressed += part.length - members.length;
      if (members.length === 0) continue;
      const { added, alreadyIn } = await addRows(platform, list, members, total.added);
      total.added += added;
      total.alreadyIn += alreadyIn;
    }
  };
  const placeOf = placeNames(reader.sources);
  for await (const batch of reader.batches()) {
    for (const reject of batch.rejects) rejects.add(placeOf(reject), reject.reason);
    // As long as no line of NDJSON could be read, there are no columns.
    if (batch.columns.length === 0) continue;
    const choose = chooser(batch, file, where);
    judged = judgeFirst(batch, {}, judged);
    const places = placesOf(batch.columns, judged.mapping, file);
    for (const record of batch.records) {
      const { cells, flaw } = record;
      if (flaw !== undefined) doubtful.add(placeOf(record), flaw);
      else if (choose(cells)) {
        total.rows += 1;
        const member = memberIn(cells, places);
        const who = member?.email?.toLowerCase() ?? member?.socialUrl;
        if (member === undefined) total.skipped += 1;
        else if (seen.has(who)) total.repeated += 1;
        else {
          seen.add(who);
          rows.push({ place: placeOf(record), member });
        }
      }
    }
    await send(platform.listAddMax);
  }
  await send(1);
  return { ...total, rows: total.rows + doubtful.count, doubtful, rejects };
}

interface ListedRow {
  readonly place: string;
  readonly member: ListMember;
}

async function addRows(
  platform: Pick<Platform, 'addToList'>,
  list: string,
  rows: readonly ListedRow[],
  addedBefore: number,
) {
  try {
    return await platform.addToList(
      list,
      rows.map(({ member }) => member),
    );
  } catch (failure) {
    const [first = '', last = first] = [rows.at(0)?.place, rows.at(-1)?.place];
    throw failedAddition(failure, first === last ? first : `${first} to ${last}`, addedBefore);
  }
}

/** `line 3`; for several files, `line 3 of a.csv`. */
function placeNames(sources: readonly string[]) {
  return ({ source, line }: Pick<SourceRecord, 'source' | 'line'>): string =>
    sources.length === 1 ? `line ${line}` : `line ${line} of ${sources[source]}`;
}

function chooser({ columns }: RecordBatch, file: string, where: string | undefined): Where {
  if (where === undefined) return () => true;
  const place = file === STANDARD_INPUT ? 'standard input' : file;
  return parseWhere(where, columns.map(asOutput), { place });
}

type Places = ReadonlyMap<keyof ListMember, readonly number[]>;

function placesOf(
  columns: readonly Column[],
  guessed: JudgedColumns['mapping'],
  file: string,
): Places {
  const places = new Map<keyof ListMember, readonly number[]>();
  for (const [name, own] of Object.entries(OWN_COLUMNS) as [keyof ListMember, string][]) {
    // If the input had a column of that name, ours got a longer name.
    const ownIndices = [`sluice_${own}`, own].map((wanted) =>
      columns.findIndex(({ key }) => key === wanted),
    );
    const guess = guessed.find(({ input }) => input === name)?.index ?? -1;
    places.set(
      name,
      [...new Set([...ownIndices, guess])].filter((index) => index >= 0),
    );
  }
  const isKnown = ['email', 'socialUrl'] as const;
  if (isKnown.some((name) => (places.get(name)?.length ?? 0) > 0)) return places;
  throw new SluiceError(
    'usage',
    `${nameSource(file)} has no column of e-mail or profile addresses, such as "email" or "LinkedIn URL": its people cannot be identified. Give one column that name.`,
    {},
    { aside: tellColumns(columns) },
  );
}

function memberIn(cells: readonly JsonValue[], places: Places): ListMember | undefined {
  const texts = new Map(
    [...places].map(([name, indices]) => [name, indices.map((index) => textOf(cells[index]))]),
  );
  return memberOf(texts, registrableDomain);
}

function textOf(cell: JsonValue | undefined): string {
  return typeof cell === 'string' || typeof cell === 'number' ? exactText(cell) : '';
}

function asOutput({ key, name }: Column): OutputColumn {
  return { key, name, kind: 'original' };
}
