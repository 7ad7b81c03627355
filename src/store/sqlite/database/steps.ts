// The steps that make a state file's schema: the baseline, for both databases (src/store/schema.ts), and the steps
// after it. State files keep the text of each step, and check-schema.ts refuses any other text.
import { schemaFor } from '../../schema.js';

export const STEPS: readonly string[] = [schemaFor('sqlite')];
