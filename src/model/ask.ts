// What the platform can be asked for a lead, and what it can be told about that lead
// (docs/platform-api.md, POST /enrich).

export const ASKS = ['find_email', 'verify_email', 'social_enrichment', 'find_phone'] as const;
export type Ask = (typeof ASKS)[number];

export const INPUTS = [
  'email',
  'socialUrl',
  'firstName',
  'lastName',
  'companyDomain',
  'companyName',
] as const;
export type InputName = (typeof INPUTS)[number];

/** The normalised values of one enrichment; a key is absent where the lead has no value. */
export type Inputs = Readonly<Partial<Record<InputName, string>>>;

/** One paid request: what is asked, for which inputs. */
export interface EnrichmentRequest {
  readonly ask: readonly Ask[];
  readonly inputs: Inputs;
}
