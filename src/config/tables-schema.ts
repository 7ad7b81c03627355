// The key `out` of a job file: the tables of a run.
import * as z from 'zod';
import { PLACES } from './places.js';

const TABLES = 'out is a file, or {people: FILE, positions: FILE, companies: FILE} with people';
const furtherTable = z
  .string()
  .min(1, TABLES)
  .refine((path) => path !== '-', 'only the table of the people goes to standard output')
  .optional();

export const tables = z
  .union(
    [
      z.string().min(1, TABLES),
      z.strictObject({
        people: z.string().min(1).describe('Table of the people'),
        positions: furtherTable.describe('Further table: a row for each position of each lead'),
        companies: furtherTable.describe('Further table: each company once'),
      }),
    ],
    TABLES,
  )
  .optional()
  .describe(
    'Table to write: .csv, .tsv, .ndjson, .jsonl, .xlsx or .parquet, or - for standard output',
  )
  .register(PLACES, { place: 'written' });
