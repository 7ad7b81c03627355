// Asks a person which columns hold the inputs that no header names.
import { judgeFirst } from '../../../app/plan/first-look.js';
import { type InputName, inputsOf, nextInput } from '../../../model/ask.js';
import type { Column } from '../../../model/lead.js';
import type { MappedInput } from '../../../model/mapping/mapping.js';
import { printable } from '../../../model/text/printable.js';
import type { Answer } from '../../ask.js';

const WORDS: Readonly<Record<InputName, string>> = {
  email: 'an e-mail address',
  socialUrl: 'the URL of a profile',
  firstName: 'the first name',
  lastName: 'the last name',
  companyDomain: "the company's website or domain",
  companyName: "the company's name",
};
/** Thousands of columns would push the question off the screen. Columns that are not shown can be named. */
const COLUMNS_SHOWN_MAX = 60;

export interface ColumnQuestions {
  readonly columns: readonly Column[];
  /** For each goal, the alternative sets of inputs that suffice. */
  readonly goals: readonly (readonly (readonly InputName[])[])[];
  /** Inputs without a column; an input is added if the user names no column for it. */
  readonly without: Set<InputName>;
  readonly answer: Answer;
}

/** Asks for the columns of inputs until the inputs suffice for the goals. Returns `mapping` with the answers. */
export async function askColumns(
  mapping: readonly MappedInput[],
  { columns, goals, without, answer }: ColumnQuestions,
): Promise<readonly MappedInput[]> {
  let mapped = mapping;
  let about = `The headers do not name every input that is needed. The columns are:\n${listOf(columns)}\n`;
  const next = () => {
    const inputs = inputsOf(mapped);
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

/** @throws SluiceError if there is no such column */
function columnOf(
  columns: readonly Column[],
  input: InputName,
  text: string,
): MappedInput | undefined {
  const isName = columns.some(({ key, name }) => key === text || name === text);
  const numbered = /^\d+$/.test(text) && !isName ? columns[Number(text) - 1]?.key : undefined;
  const { mapping } = judgeFirst({ columns, records: [] }, { map: { [input]: numbered ?? text } });
  return mapping.find((one) => one.input === input);
}

function listOf(columns: readonly Column[]): string {
  const shown = columns.slice(0, COLUMNS_SHOWN_MAX);
  const lines = shown.map(({ key }, at) => `${String(at + 1).padStart(4)}  ${printable(key)}`);
  const more = columns.length - shown.length;
  return [...lines, ...(more === 0 ? [] : [`      and ${more} more`])].join('\n');
}
