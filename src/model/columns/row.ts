// The type of a row for a program, from the lists of columns.
import type { AnswerSource, LeadStatus } from '../answer.js';
import type { FieldType, PROFILE_FIELDS } from '../result.js';
import type { JsonValue } from '../text/json.js';
import type { ColumnType } from './column-spec.js';
import type { LeadColumnSpec } from './lead-columns.js';

interface TypeOf extends Record<ColumnType, JsonValue> {
  readonly text: string;
  readonly URL: string;
  readonly 'date and time': string;
  readonly month: string;
  readonly phone: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
}

type LeadCells = {
  readonly [Spec in LeadColumnSpec as Spec['name']]: TypeOf[Spec['type']] | null;
};

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

type ProfileName<Snake extends string> = Snake extends `${'social' | 'company'}_${string}`
  ? Snake
  : `social_${Snake}`;

interface TypeOfField extends Record<FieldType, JsonValue> {
  readonly string: string;
  readonly integer: number;
  readonly url: string;
}

type ProfileCells = {
  readonly [Field in keyof typeof PROFILE_FIELDS as ProfileName<SnakeCase<Field>>]:
    | TypeOfField[(typeof PROFILE_FIELDS)[Field]]
    | null;
};

/** The values in the columns of a lead, whatever the shape of the positions; null is an empty cell. */
export type KnownColumns = Omit<LeadCells, 'sluice_status' | 'source' | 'credits'> &
  ProfileCells & {
    readonly sluice_status: LeadStatus;
    readonly source: AnswerSource | null;
    readonly credits: number;
    /** The input's own columns that were filled, as in `email,phone`; only if the run fills cells. */
    readonly filled?: string | null;
  };

/**
 * All keys of the NDJSON table; null is an empty cell. `Input` names the input's own columns, as in `Row<'Name' |
 * 'Country'>`. If one of them has the name of a column of Sluice, Sluice's column has `sluice_` in front. Columns of
 * positions depend on their shape.
 */
export type Row<Input extends string = string> = {
  readonly [Name in keyof KnownColumns as string extends Input
    ? Name
    : Name extends Input
      ? `sluice_${Name}`
      : Name]: KnownColumns[Name];
} & { readonly [Name in Input | `position_${string}`]: JsonValue };
