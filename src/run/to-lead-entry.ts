// From a record of the input to a lead: normalised, judged sufficient and fingerprinted.

import {
  type Ask,
  type EnrichmentRequest,
  explainLacking,
  INPUTS,
  type InputName,
  type Inputs,
  inputsOf,
  isWider,
  listAsks,
  sufficientAsks,
} from '../model/ask.js';
import { canonicalText, foldsAsFormerly, formerCanonicalText } from '../model/fingerprint.js';
import type { SourceRecord } from '../model/lead.js';
import { cellAt, nameOfMapped } from '../model/mapping/find-column.js';
import { type MappedInput } from '../model/mapping/mapping.js';
import { normaliseInput } from '../model/normalise.js';
import { exactText, type JsonValue, plainJson } from '../model/text/json.js';
import { splitName } from '../model/text/split-name.js';
import type { Fingerprints, LeadEntry } from '../ports/store/enrichments.js';
import type { AskingTerms } from './run-context.js';

/**
 * The lead as it goes into the store: `asked` with its request and fingerprint, or `skipped` with the reason. What
 * cannot be sent is left out where the rest suffices.
 */
export function toLeadEntry(
  record: SourceRecord,
  position: number,
  mapping: readonly MappedInput[],
  terms: AskingTerms,
): LeadEntry {
  const { source, line, cells } = record;
  const lead = { position, source, line, cells };
  if (record.flaw !== undefined) return { ...lead, kind: 'skipped', note: record.flaw };

  const { former, inputs, isWhole, malformed, remarks } = readInputs(cells, mapping, terms);
  // A name of one word is sent as the last name, and the platform sees the whole name alone.
  const known = isWhole ? { firstName: '', ...inputs } : inputs;
  const { asked, lacking } = sufficientAsks(terms.ask, known, terms.requirements);
  if (asked.length === 0 && isToBlame(malformed, inputs, terms)) {
    const note = `malformed: ${[...malformed.values()].join('; ')}`;
    return { ...lead, kind: 'skipped', note };
  }
  if (lacking.length > 0) {
    remarks.unshift(`insufficient inputs: ${explainLacking(lacking, terms.requirements)}`);
  }
  const note = noteOf(remarks);
  if (asked.length === 0) return { ...lead, kind: 'skipped', note };
  const request: EnrichmentRequest = { ask: asked, inputs };
  const fingerprints = fingerprintsOf({ request, former, remarks }, terms);
  const wider = widerQuestions(request, terms);
  // Each key by its name: copying `lead` takes longer than all that is done for it.
  const entry = {
    position,
    source,
    line,
    cells,
    kind: 'asked',
    note,
    request,
    ...fingerprints,
  } as const;
  return wider.length === 0 ? entry : { ...entry, wider };
}

/** The fingerprints of questions about the same inputs that ask the same and more, of those that the state knows. */
export function widerQuestions(
  { ask, inputs }: EnrichmentRequest,
  { account, asked = [], digest }: Pick<AskingTerms, 'account' | 'asked' | 'digest'>,
): Uint8Array[] {
  return asked
    .filter((wide) => isWider(wide, ask))
    .map((wide) => digest(canonicalText({ ask: wide, inputs }, account)));
}

type ReadingTerms = Pick<AskingTerms, 'domainOwner' | 'registrableDomain' | 'takesWholeName'>;

/** The inputs of a lead. `remarks` say what is left out, also what is malformed. */
interface ReadInputs extends Pick<Question, 'former'> {
  readonly inputs: Inputs;
  readonly malformed: ReadonlyMap<InputName, string>;
  /** Whether the last name is a whole name of one word. */
  readonly isWhole: boolean;
  readonly remarks: string[];
}

function readInputs(
  cells: SourceRecord['cells'],
  mapping: readonly MappedInput[],
  { domainOwner, registrableDomain, takesWholeName = false }: ReadingTerms,
): ReadInputs {
  const inputs: Partial<Record<InputName, string>> = {};
  const former: Partial<Record<InputName, string>> = {};
  const malformed = new Map<InputName, string>();
  const remarks: string[] = [];
  let isWhole = false;
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
    const formerValue = normalised.former ?? inputs[input];
    if (formerValue !== undefined) former[input] = formerValue;
  };
  for (const mapped of mapping) {
    const { input } = mapped;
    const text = mappedText(mapped, cells);
    if (text === undefined) {
      const flaw = `the column ${nameOfMapped(mapped)} holds no text`;
      for (const name of inputsOf([mapped])) malformed.set(name, flaw);
      remarks.push(`${input} is left out: ${flaw}`);
    } else if (input === 'fullName') {
      const { parts, remark } = partsOfName(text, inputs, takesWholeName);
      isWhole = takesWholeName && inputs.firstName === undefined && parts.length === 1;
      for (const [name, part] of parts) read(name, part);
      if (remark !== undefined) remarks.push(remark);
    } else read(input, text);
  }
  return { inputs, former, isWhole, malformed, remarks };
}

/** First and last name, as far as no column of their own gives them (docs/names.md). */
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
  return { parts, remark: 'fullName is left out: it is not told apart into first and last name' };
}

/** What the record has to ask with; a name of one word counts as whole where the platform takes it so. */
export function knownInputs(
  cells: SourceRecord['cells'],
  mapping: readonly MappedInput[],
  terms: ReadingTerms,
): Inputs {
  const { inputs, isWhole } = readInputs(cells, mapping, terms);
  return isWhole ? { firstName: '', ...inputs } : inputs;
}

/** Whether something could be asked if these inputs were right. */
function isToBlame(
  malformed: ReadonlyMap<InputName, string>,
  inputs: Inputs,
  { ask, requirements }: AskingTerms,
): boolean {
  const corrected = { ...inputs, ...Object.fromEntries(malformed) };
  return sufficientAsks(ask, corrected, requirements).asked.length > 0;
}

function noteOf(remarks: readonly string[]): string | null {
  return remarks.length === 0 ? null : remarks.join('; ');
}

interface Question {
  readonly request: EnrichmentRequest;
  /** The inputs as releases up to 0.1.0 normalised them. */
  readonly former: Inputs;
  readonly remarks: readonly string[];
}

/**
 * Releases up to 0.1.0 gave some companies one domain, and their people one payment. Such a payment is not recognised
 * where that domain alone identified the lead: the answer may be another person's. They also asked for less where they
 * took the inputs for insufficient.
 */
function fingerprintsOf({ request, former, remarks }: Question, terms: AskingTerms): Fingerprints {
  const { account, ask, digest, formerRequirements } = terms;
  const text = canonicalText(request, account);
  const known = { fingerprint: digest(text) };
  const askedBy = (inputs: Inputs) => sufficientAsks(ask, inputs, formerRequirements).asked;
  const isLess = (asks: readonly Ask[]) => request.ask.some((one) => !asks.includes(one));

  const less = new Map<string, readonly Ask[]>();
  const asks = askedBy(request.inputs);
  if (asks.length === request.ask.length && isAsFormerly(request.inputs, former) && !isLess(asks)) {
    return known;
  }
  if (isLess(asks)) less.set(canonicalText({ ...request, ask: asks }, account), asks);
  let formerText = text;
  if (isSamePerson(request.inputs, former)) {
    const formerAsks = askedBy(former);
    formerText = formerCanonicalText({ ask: formerAsks, inputs: former }, account);
    if (isLess(formerAsks)) less.set(formerText, formerAsks);
  }
  const lesser = [...less].filter(([, some]) => some.length > 0);
  const [first] = lesser;
  return {
    ...known,
    ...(formerText === text || less.has(formerText)
      ? {}
      : { formerFingerprint: digest(formerText) }),
    ...(first === undefined
      ? {}
      : {
          lesser: {
            wanted: [...ask].sort().join(','),
            fingerprints: lesser.map(([one]) => digest(one)),
            note: noteOf([askedForLess(request.ask, first[1]), ...remarks]),
          },
        }),
  };
}

/** Whether earlier releases asked the same about these inputs. */
function isAsFormerly(inputs: Inputs, former: Inputs): boolean {
  return foldsAsFormerly(inputs) && INPUTS.every((name) => inputs[name] === former[name]);
}

function isSamePerson({ email, socialUrl, companyDomain }: Inputs, former: Inputs): boolean {
  return email !== undefined || socialUrl !== undefined || companyDomain === former.companyDomain;
}

function askedForLess(ask: readonly Ask[], asked: readonly Ask[]): string {
  const rest = listAsks(ask.filter((one) => !asked.includes(one)));
  return `asked by an earlier release for ${listAsks(asked)} alone, and not paid for anew while that answer is fresh; ask for ${rest} in a job of its own`;
}

/** A path leads nowhere in a cell that is no object or list, and the cell is not its value. */
export function mappedText(
  mapped: Pick<MappedInput, 'index' | 'path'>,
  cells: SourceRecord['cells'],
): string | undefined {
  const cell = cells[mapped.index];
  if (mapped.path === undefined || cell === undefined || cell === null) return cellText(cell);
  return typeof cell === 'object' ? cellText(cellAt(mapped, cells)) : undefined;
}

/** Undefined for an object or an array, which no input can be. A number that a double holds becomes the usual text. */
function cellText(cell: JsonValue | undefined): string | undefined {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'object' ? undefined : exactText(plainJson(cell));
}
