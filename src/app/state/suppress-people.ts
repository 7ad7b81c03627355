import { DOMAIN_RULES, domainOwner } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import { openLeadReader } from '../../input/open-lead-reader.js';
import { nameSource } from '../../input/sources/source-name.js';
import { type InputName, type Inputs, inputsOf, namesPerson } from '../../model/ask.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import type { SourceRecord } from '../../model/lead.js';
import { refuseUnmapped } from '../../model/mapping/judge-columns.js';
import type { JudgedColumns, MappedInput, MappingWish } from '../../model/mapping/mapping.js';
import { normaliseInput } from '../../model/normalise.js';
import { BadLineCounter, type BadLines } from '../../model/report/bad-lines.js';
import { namedBy } from '../../model/suppression.js';
import type { Store } from '../../ports/store/store.js';
import { knownInputs, mappedText } from '../../run/to-lead-entry.js';
import { judgeFirst } from '../plan/first-look.js';
import { systemClock } from '../system-clock.js';

const REASON_MAX = 200;
/** The number of enrichments in one step: others that are sent or answered wait for it. */
const LINKED_AT_ONCE = 500;
/** The first pass links what the state tells of a person; the second one finds enrichments by that. */
const PASSES = 2;

const WANTED: Readonly<Partial<Record<InputName, string>>> = {
  email: 'a complete e-mail address',
  socialUrl: 'the complete web address of a profile',
};

function demand(input: InputName, text: string): string {
  const normalised = normaliseInput(input, text, registrableDomain, domainOwner);
  if (normalised.kind === 'value') return normalised.value;
  throw wrongUse(`${input} wants ${WANTED[input] ?? 'a text'}.`);
}

function demandDomain(text: string): string {
  for (const owner of [domainOwner, undefined]) {
    const normalised = normaliseInput('companyDomain', text, registrableDomain, owner);
    if (normalised.kind === 'value') return normalised.value;
  }
  throw wrongUse('companyDomain wants a domain, such as example.com.');
}

/** Whether these inputs mean all people of a domain. */
export function meansDomain(inputs: Inputs): boolean {
  return namedBy(inputs).some(({ kind }) => kind === 'domain');
}

/**
 * The domain of which all people are meant, in any form; its `www` is no part of it.
 * @throws SluiceError `usage` for a host below a domain, since leads are known by the domain
 */
export function demandWholeDomain(text: string): string {
  const domain = demandDomain(text);
  if (!isPartOf(domain, text)) return domain;
  throw wrongUse(
    `A company is suppressed by its complete domain: give ${domain}, which means everybody there.`,
  );
}

function isPartOf(domain: string, text: string): boolean {
  const host = normaliseInput('companyDomain', text, (all) => all.replace(/^www\.|\.+$/g, ''));
  return host.kind !== 'value' || host.value !== domain;
}

/** These inputs as they are sent. @throws SluiceError `usage` if one is wrong, or together they name no person */
export function demandPerson(texts: Inputs): Inputs {
  const ofDomain = meansDomain(texts) ? demandWholeDomain : demandDomain;
  const values = Object.entries(texts) as [InputName, string][];
  const inputs = Object.fromEntries(
    values.map(([name, text]) => [
      name,
      name === 'companyDomain' ? ofDomain(text) : demand(name, text),
    ]),
  );
  if (namedBy(inputs).length > 0) return inputs;
  throw wrongUse(
    'These inputs name no person: give email, socialUrl, companyDomain, or lastName with companyName or companyDomain.',
  );
}

/** The domain of inputs that name all of it, if many people share it. */
export function sharedBy(inputs: Inputs): string | undefined {
  return meansDomain(inputs) ? sharedSite(inputs.companyDomain ?? '') : undefined;
}

/** `gmail.com (a mail provider)`; undefined for a company's domain. */
function sharedSite(text: string): string | undefined {
  const owned = normaliseInput('companyDomain', text, registrableDomain, domainOwner);
  if (owned.kind !== 'left_out') return undefined;
  const domain = demandDomain(text);
  const owner = domainOwner(domain);
  return owner?.kind === 'shared' ? `${domain} (a ${owner.site})` : domain;
}

export function manyShare(shared: string): SluiceError {
  return wrongUse(
    `Nobody was suppressed: many people share ${shared}. To suppress everybody who has an address or a profile there, say --yes (takesShared in a program).`,
  );
}

/** @throws SluiceError `usage` for a reason that no row could show */
export function checkReason(reason: string): string {
  const text = reason.trim();
  if (text.length <= REASON_MAX && !/\p{Cc}/u.test(text)) return text;
  throw wrongUse(`--reason is one line of at most ${REASON_MAX} characters, because rows show it.`);
}

/**
 * Returns 1 if the person, or the domain, was not suppressed before, and how many known leads are shown no more. To go
 * on after a kill, call it again.
 */
export async function suppressPerson(store: Store, person: Inputs, reason: string) {
  const added = await store.suppress([namedBy(person)], reason, systemClock.now());
  return { added, leads: await linkAll(store) };
}

export interface SuppressWish {
  /** Shown in the rows of their leads. */
  readonly reason?: string | undefined;
  /** Whether a domain that many people share is suppressed too. Default: false. */
  readonly takesShared?: boolean | undefined;
}

/**
 * Suppresses a person, or everybody of a `companyDomain`. Returns whether that was not so before.
 * @throws SluiceError `usage` for inputs that name nobody, a domain that many people share, or a reason that no row shows
 */
export async function suppress(
  store: Store,
  person: Inputs,
  { reason = '', takesShared = false }: SuppressWish = {},
): Promise<boolean> {
  const demanded = demandPerson(person);
  const shared = sharedBy(demanded);
  if (shared !== undefined && !takesShared) throw manyShare(shared);
  return (await suppressPerson(store, demanded, checkReason(reason))).added === 1;
}

/** Returns how many leads are shown no more. */
async function linkAll(store: Store): Promise<number> {
  let leads = 0;
  for (let pass = 1; pass <= PASSES; pass += 1) {
    let linked = 0;
    for (let after: number | null = 0; after !== null; ) {
      const step: Awaited<ReturnType<Store['linkSuppressed']>> = await store.linkSuppressed(
        after,
        LINKED_AT_ONCE,
      );
      after = step.last;
      linked += step.linked;
      leads += step.leads;
    }
    if (linked === 0) break;
  }
  return leads;
}

export interface TableOfPeople {
  readonly file: string;
  readonly map: MappingWish;
  readonly reason: string;
  /** Whether domains that many people share are suppressed too. */
  readonly takesShared: boolean;
  readonly standardInput: AsyncIterable<Uint8Array>;
}

export interface SuppressedTable {
  readonly people: number;
  /** Of these, those that were not suppressed before. */
  readonly added: number;
  /** Known leads that are shown no more. */
  readonly leads: number;
  /** Whether it is a table of domains. */
  readonly isOfDomains: boolean;
  /** Lines without a person or domain, with a part of a domain, or a domain that many people share. */
  readonly unused: BadLines;
  readonly rejects: BadLines;
}

/**
 * Suppresses the people of a table, whose columns are found as those of leads are. A table without a column that names
 * people is one of domains.
 * @throws SluiceError `input` for a table that cannot be read, `usage` for one without a usable column
 */
export async function suppressTable(
  store: Store,
  { file, map, reason, standardInput, takesShared }: TableOfPeople,
): Promise<SuppressedTable> {
  const reader = await openLeadReader([file], { standardInput });
  const [unused, rejects] = [new BadLineCounter(), new BadLineCounter()];
  let judged: JudgedColumns | undefined;
  const total = { people: 0, added: 0 };
  for await (const batch of reader.batches()) {
    for (const { line, reason: why } of batch.rejects) rejects.add(`line ${line}`, why);
    if (batch.columns.length === 0) continue;
    judged = judgeFirst(batch, { map }, judged);
    refuseUnmapped(judged, map);
    const { mapping } = judged;
    const ofPeople = namesPerson(inputsOf(mapping));
    const people = batch.records.flatMap((record) => {
      const found = ofPeople ? personIn(record, mapping) : domainIn(record, mapping, takesShared);
      if (typeof found !== 'string') return [namedBy(found)];
      unused.add(`line ${record.line}`, found);
      return [];
    });
    total.people += people.length;
    total.added += await store.suppress(people, reason, systemClock.now());
  }
  if (judged === undefined) {
    throw new SluiceError('input', `${nameSource(file)} has no line that can be read.`);
  }
  const isOfDomains = !namesPerson(inputsOf(judged.mapping));
  return { ...total, leads: await linkAll(store), isOfDomains, unused, rejects };
}

/** The inputs, or the reason why the line is not used. */
function personIn({ cells, flaw }: SourceRecord, mapping: readonly MappedInput[]): Inputs | string {
  if (flaw !== undefined) return flaw;
  const inputs = knownInputs(cells, mapping, DOMAIN_RULES);
  const isPerson = namedBy(inputs).some(({ kind }) => kind !== 'domain');
  return isPerson ? inputs : 'names no person: no address, and no name with a company';
}

function domainIn(
  { cells, flaw }: SourceRecord,
  mapping: readonly MappedInput[],
  takesShared: boolean,
): Inputs | string {
  if (flaw !== undefined) return flaw;
  const mapped = mapping.find(({ input }) => input === 'companyDomain');
  const text = mapped === undefined ? '' : (mappedText(mapped, cells, 'companyDomain') ?? '');
  const normalised = normaliseInput('companyDomain', text, registrableDomain);
  if (normalised.kind !== 'value') return 'names no domain';
  const shared = sharedSite(text);
  if (shared !== undefined && !takesShared) return `many people share ${shared}`;
  const companyDomain = demandDomain(text);
  return isPartOf(companyDomain, text)
    ? `is only a part of the domain ${companyDomain}, and a company is suppressed by its complete domain`
    : { companyDomain };
}
