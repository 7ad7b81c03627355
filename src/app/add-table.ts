// Puts the rows of a table into a contact list: an enriched table by its columns, any other by its headers.
import type { ListMember } from '../domain/contact-list.js';
import { SluiceError } from '../domain/errors.js';
import type { JsonValue } from '../domain/json.js';
import type { Column } from '../domain/lead.js';
import { resolveMapping } from '../domain/mapping.js';
import type { Platform } from '../domain/ports/platform.js';
import type { OutputColumn } from '../domain/ports/table-writer.js';
import { parseWhere } from '../domain/where.js';
import { openLeadReader } from '../input/open-lead-reader.js';

export interface TableAddition {
  /** Rows that were chosen. */
  readonly rows: number;
  readonly added: number;
  readonly alreadyIn: number;
  /** Chosen, and without anything that tells who it is. */
  readonly skipped: number;
}

export interface TableSource {
  readonly file: string;
  readonly where: string | undefined;
  readonly standardInput: AsyncIterable<Uint8Array>;
}

/** The column of an enriched table in which each is told, before any that is only called like it. */
const OWN_COLUMNS: Readonly<Record<keyof ListMember, string>> = {
  email: 'email',
  socialUrl: 'social_url',
  firstName: 'social_first_name',
  lastName: 'social_last_name',
  companyName: 'company_name',
};

/** @throws SluiceError `input` for a table that cannot be read, `usage` for one without any column that tells who it is */
export async function addTable(
  platform: Pick<Platform, 'addToList' | 'listAddMax'>,
  list: string,
  { file, where, standardInput }: TableSource,
): Promise<TableAddition> {
  const reader = await openLeadReader([file], { standardInput });
  const total = { rows: 0, added: 0, alreadyIn: 0, skipped: 0 };
  let members: ListMember[] = [];
  const send = async (atLeast: number): Promise<void> => {
    while (members.length >= Math.max(1, atLeast)) {
      const part = members.slice(0, platform.listAddMax);
      members = members.slice(part.length);
      const { added, alreadyIn } = await platform.addToList(list, part);
      total.added += added;
      total.alreadyIn += alreadyIn;
    }
  };
  for await (const { columns, records } of reader.batches()) {
    const places = placesOf(columns, file);
    const chooses = where === undefined ? () => true : parseWhere(where, columns.map(asOutput));
    for (const { cells } of records) {
      if (!chooses(cells)) continue;
      total.rows += 1;
      const member = memberOf(cells, places);
      if (member === undefined) total.skipped += 1;
      else members.push(member);
    }
    await send(platform.listAddMax);
  }
  await send(1);
  return total;
}

type Places = ReadonlyMap<keyof ListMember, readonly number[]>;

function placesOf(columns: readonly Column[], file: string): Places {
  const guessed = resolveMapping(columns, {});
  const places = new Map<keyof ListMember, readonly number[]>();
  for (const [name, own] of Object.entries(OWN_COLUMNS) as [keyof ListMember, string][]) {
    // Where the input had a column of that name already, ours made way for it.
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
    `${file} has no column with an e-mail address or a profile address: nobody in it can be told apart.`,
    { file },
  );
}

function memberOf(cells: readonly JsonValue[], places: Places): ListMember | undefined {
  const member: Partial<Record<keyof ListMember, string>> = {};
  for (const [name, indices] of places) {
    const text = indices.map((index) => textOf(cells[index])).find((one) => one !== '');
    if (text !== undefined) member[name] = text;
  }
  return member.email === undefined && member.socialUrl === undefined ? undefined : member;
}

function textOf(cell: JsonValue | undefined): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell).trim() : '';
}

function asOutput({ key, name }: Column): OutputColumn {
  return { key, name, kind: 'original' };
}
