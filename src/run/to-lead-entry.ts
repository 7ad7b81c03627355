import {
  type Ask,
  type ColumnInput,
  type EnrichmentRequest,
  type InputName,
  type Inputs,
  inputsFor,
  inputsOf,
  isStandard,
  listAsks,
  needsOf,
  sufficientAsks,
} from '../model/ask.js';
import { canonicalText, fold } from '../model/fingerprint.js';
import type { SourceRecord } from '../model/lead.js';
import { inputText, type OwnKind } from '../model/mapping/column-kinds.js';
import { type CellPlace, cellAt, nameOfMapped } from '../model/mapping/find-column.js';
import type { MappedInput } from '../model/mapping/mapping.js';
import { isPlaceholder, normaliseInput } from '../model/normalise.js';
import { splitName } from '../model/text/split-name.js';
import type { LeadEntry } from '../ports/store/enrichments.js';
import type { AskingTerms, InputTerms, NeedTerms } from './run-context.js';

/** How a remark about what no cell could have begins. */
export const LACK = 'insufficient inputs: ';

/** Inputs that cannot be sent are left out if the rest suffices. */
export function toLeadEntry(
  record: SourceRecord,
  position: number,
  mapping: readonly MappedInput[],
  terms: AskingTerms,
): LeadEntry {
  const { source, line, cells } = record;
  const lead = { position, source, line, cells };
  if (record.flaw !== undefined) return { ...lead, kind: 'skipped', note: record.flaw };

  const { inputs, isWhole, malformed, remarks } = readInputs(cells, mapping, terms);
  // A name of one word is sent as the last name, and the platform sees the whole name alone.
  const known = isWhole ? { firstName: '', ...inputs } : inputs;
  const { asked, lacking } = sufficientAsks(terms.ask, known, terms.requirements);
  if (asked.length === 0 && isToBlame(malformed, inputs, terms)) {
    const note = `malformed: ${[...malformed.values()].join('; ')}`;
    return { ...lead, kind: 'skipped', note };
  }
  if (lacking.length > 0) {
    const which = asked.length === 0 ? '' : `${listAsks(lacking)} has `;
    const missing = missingFor(lacking, known, mapping, terms);
    remarks.unshift(`${LACK}${which}${tellMissing(missing, mapping, cells)}`);
  }
  const note = remarks.length === 0 ? null : remarks.join('; ');
  if (asked.length === 0) return { ...lead, kind: 'skipped', note };
  const request: EnrichmentRequest = {
    ask: asked,
    inputs: inputsFor(asked, inputs, terms.requirements),
  };
  const fingerprint = terms.digest(canonicalText(request, terms.account, terms.definitions));
  // Each key is written out: copying `lead` takes longer than all other work on it.
  const entry = {
    position,
    source,
    line,
    cells,
    kind: 'asked',
    note,
    request,
    fingerprint,
  } as const;
  const isCustom = asked.some((one) => !isStandard(one));
  const isExact = terms.isExact === true;
  if (!isCustom && !isExact && request.inputs === inputs) return entry;
  return {
    ...entry,
    ...(isExact && { isExact }),
    ...(isCustom && terms.definitions !== undefined && { definitions: terms.definitions }),
    ...(request.inputs !== inputs && { known: inputs }),
  };
}

/** The missing inputs of the alternatives that have columns, lack least, and of which most is there. */
function missingFor(
  lacking: readonly Ask[],
  known: Inputs,
  mapping: readonly MappedInput[],
  { requirements }: NeedTerms,
): ReadonlySet<InputName> {
  const mapped = new Set(inputsOf(mapping));
  const ranked = lacking
    .flatMap((one) => needsOf(requirements, one))
    .map((names) => {
      const missing = names.filter((name) => known[name] === undefined);
      const without = missing.filter((name) => !mapped.has(name)).length;
      return { missing, rank: 10_000 * without + 100 * missing.length - names.length };
    });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return new Set(ranked.filter(({ rank }) => rank === best).flatMap(({ missing }) => missing));
}

const WORDS: Readonly<Record<InputName, string>> = {
  email: 'e-mail address',
  socialUrl: 'profile',
  firstName: 'first name',
  lastName: 'last name',
  companyDomain: 'company',
  companyName: 'company',
};

/** `no company: Société and Site web are empty`. */
function tellMissing(
  missing: ReadonlySet<InputName>,
  mapping: readonly MappedInput[],
  cells: SourceRecord['cells'],
): string {
  const words = new Set(Array.from(missing, (name) => WORDS[name]));
  const columns = mapping.filter((one) => inputsOf([one]).some((name) => missing.has(name)));
  const empty = columns
    .filter((one) => mappedText(one, cells, one.input)?.trim() === '')
    .map(nameOfMapped);
  const what = `no ${[...words].join(', no ')}`;
  if (columns.length === 0) return `${what}: no column has it`;
  if (empty.length === 0) return what;
  return `${what}: ${listAsks(empty)} ${empty.length === 1 ? 'is' : 'are'} empty`;
}

/** The inputs of a lead. `remarks` name the inputs that are left out, also malformed ones. */
interface ReadInputs {
  readonly inputs: Inputs;
  readonly malformed: ReadonlyMap<InputName, string>;
  readonly isWhole: boolean;
  readonly remarks: string[];
}

function readInputs(
  cells: SourceRecord['cells'],
  mapping: readonly MappedInput[],
  { domainOwner, registrableDomain, takesWholeName = false }: InputTerms,
): ReadInputs {
  const inputs: Partial<Record<InputName, string>> = {};
  const malformed = new Map<InputName, string>();
  const remarks: string[] = [];
  let isWhole = false;
  let prefix = '';
  const read = (input: InputName, text: string): void => {
    const normalised = normaliseInput(input, text, registrableDomain, domainOwner);
    if (normalised.kind === 'empty') return;
    if (normalised.kind === 'malformed') {
      malformed.set(input, normalised.reason);
      remarks.push(normalised.reason.replace(input, `${input} is left out: it`));
      return;
    }
    if (normalised.kind === 'left_out') remarks.push(normalised.reason);
    else inputs[input] = normalised.value;
  };
  for (const mapped of mapping) {
    const { input } = mapped;
    const text = mappedText(mapped, cells, input);
    if (text === undefined) {
      const flaw = `the column ${nameOfMapped(mapped)} holds no text`;
      for (const name of inputsOf([mapped])) malformed.set(name, flaw);
      remarks.push(`${input} is left out: ${flaw}`);
    } else if (input === 'fullName') {
      const { parts, remark } = partsOfName(text, inputs, takesWholeName);
      isWhole = takesWholeName && inputs.firstName === undefined && parts.length === 1;
      for (const [name, part] of parts) read(name, part);
      if (remark !== undefined) remarks.push(remark);
    } else if (input === 'lastNamePrefix') prefix = text;
    else read(input, text);
  }
  if (prefix !== '' && inputs.lastName !== undefined)
    read('lastName', withPrefix(prefix, inputs.lastName));
  return { inputs, isWhole, malformed, remarks };
}

/** The last name with what stands before it, which may stand in both columns. */
function withPrefix(text: string, lastName: string): string {
  const prefix = text.trim();
  if (!/\p{L}/u.test(prefix) || isPlaceholder(prefix)) return lastName;
  const gap = /['’-]$/u.test(prefix) ? '' : ' ';
  const isThere = fold('lastName', lastName).startsWith(fold('lastName', prefix) + gap);
  return isThere ? lastName : prefix + gap + lastName;
}

/** The first and last name, unless a column of their own gives them (docs/names.md). */
function partsOfName(
  text: string,
  known: Inputs,
  takesWholeName: boolean,
): { readonly parts: readonly (readonly [InputName, string])[]; readonly remark?: string } {
  const { firstName, lastName, only } = splitName(text);
  const parts = [['firstName', firstName] as const, ['lastName', lastName] as const].flatMap(
    ([name, part]) =>
      part === undefined || known[name] !== undefined ? [] : [[name, part] as const],
  );
  if (only === undefined || known.lastName !== undefined) return { parts };
  if (takesWholeName || known.firstName !== undefined) return { parts: [['lastName', only]] };
  return { parts, remark: 'fullName is left out: it could not be split into first and last name' };
}

/** The inputs that the record gives; a name of one word counts as whole if the platform takes it so. */
export function knownInputs(
  cells: SourceRecord['cells'],
  mapping: readonly MappedInput[],
  terms: InputTerms,
): Inputs {
  const { inputs, isWhole } = readInputs(cells, mapping, terms);
  return isWhole ? { firstName: '', ...inputs } : inputs;
}

/** Whether something could be asked if these inputs were right. */
function isToBlame(
  malformed: ReadonlyMap<InputName, string>,
  inputs: Inputs,
  { ask, requirements }: NeedTerms,
): boolean {
  const corrected = { ...inputs, ...Object.fromEntries(malformed) };
  return sufficientAsks(ask, corrected, requirements).asked.length > 0;
}

/** A path finds nothing in a cell that is neither object nor list: the cell itself is not its value. */
export function mappedText(
  mapped: CellPlace,
  cells: SourceRecord['cells'],
  input: ColumnInput | OwnKind,
): string | undefined {
  const cell = cells[mapped.index] ?? null;
  if (mapped.path === undefined || cell === null) return inputText(input, cell);
  return typeof cell === 'object' ? inputText(input, cellAt(mapped, cells)) : undefined;
}
