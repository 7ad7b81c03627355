// The steps that make the tables, each applied once, by `sluice state migrate`. The first is the baseline, for both
// databases (src/store/schema.ts). A state belongs to one server: `identity` (schema.ts beside this) tells whether this
// is the server that it was written on.
import { schemaFor } from '../../schema.js';

export const STEPS: readonly string[] = [schemaFor('postgres')];
