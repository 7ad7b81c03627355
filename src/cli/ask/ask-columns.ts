// Which column holds what, asked of a person where no header tells: until there is enough to ask the platform with.
import { type InputName, nextInput } from '../../model/ask.js';
import type { Column } from '../../model/lead.js';
import { type MappedInput, mapColumns } from '../../model/mapping.js';
import { printable } from '../../model/text/printable.js';
import type { Answer } from './init-job.js';

const WORDS: Readonly<Record<InputName, string>> = {
  email: 'an e-mail address',
  socialUrl: 'the URL of a profile',
  firstName: 'the first name',
  lastName: 'the last name',
  companyDomain: "the company's website or domain",
  companyName: "the company's name",
};
/** A table of thousands of columns would push its own question off the screen; the others are called by name. */
const COLUMNS_SHOWN_MAX = 60;

export interface ColumnQuestions {
  readonly columns: readonly Column[];
  /** For each thing that is wanted, the alternatives that suffice for it. */
  readonly goals: readonly (readonly (readonly InputName[])[])[];
  /** Inputs that there is no column for; what is asked in vain is added. */
  readonly without: Set<InputName>;
  readonly answer: Answer;
}

/** `mapping`, with what the answers add to it. */
export async function askColumns(
  mapping: readonly MappedInput[],
  { columns, goals, without, answer }: ColumnQuestions,
): Promise<readonly MappedInput[]> {
  let mapped = mapping;
  let about = `No header tells all that is needed. The columns are:\n${listOf(columns)}\n`;
  const next = () => {
    const inputs = mapped.map(({ input }) => input);
    return goals.map((goal) => nextInput(goal, inputs, without)).find((one) => one !== undefined);
  };
  for (let input = next(); input !== undefined; input = next()) {
    const wanted = input;
    const question = `${about}Which column holds ${WORDS[wanted]}? (its number or name; Enter: none)`;
    about = '';
    const found = await answer(question, '', (text) =>
      text === '' ? undefined : columnOf(columns, wanted, text),
    );
    if (found === undefined) without.add(wanted);
    else mapped = [...mapped, found];
  }
  return mapped;
}

/** @throws SluiceError where there is no such column */
function columnOf(
  columns: readonly Column[],
  input: InputName,
  text: string,
): MappedInput | undefined {
  const isName = columns.some(({ key, name }) => key === text || name === text);
  const numbered = /^\d+$/.test(text) && !isName ? columns[Number(text) - 1]?.key : undefined;
  const mapped = mapColumns(columns, { [input]: numbered ?? text });
  return mapped.find((one) => one.input === input);
}

function listOf(columns: readonly Column[]): string {
  const shown = columns.slice(0, COLUMNS_SHOWN_MAX);
  const lines = shown.map(({ key }, at) => `${String(at + 1).padStart(4)}  ${printable(key)}`);
  const more = columns.length - shown.length;
  return [...lines, ...(more === 0 ? [] : [`      and ${more} more`])].join('\n');
}
