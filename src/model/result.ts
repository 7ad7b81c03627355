// The result of an enrichment, and the one table of every profile, position and company field. Names and types are the
// platform's (docs/platform-api.md, Resources). Decoder, dialect, a column for each field and documentation are derived
// from these tables. A computed column is not a field: its place is in model/columns/.

export type FieldType = 'string' | 'integer' | 'url';
export type FieldTable = Readonly<Record<string, FieldType>>;

/** Fields of the profile object besides `positionGroups`, in the documented order. */
export const PROFILE_FIELDS = {
  socialUrl: 'url',
  socialMemberId: 'integer',
  socialClassicId: 'string',
  firstName: 'string',
  lastName: 'string',
  picture: 'url',
  locationName: 'string',
  tagline: 'string',
  industry: 'string',
  summary: 'string',
  languages: 'string',
  skills: 'string',
  companyName: 'string',
  companyLinkedinUrl: 'url',
  occupation: 'string',
  companyDomain: 'string',
  companyId: 'integer',
  companyWebsite: 'url',
  companyDescription: 'string',
  companyFoundedOn: 'integer',
  companyEmployeesOnSocial: 'integer',
  companyIndustry: 'string',
  companyLogo: 'url',
  companyType: 'string',
  companyHeadQuarter: 'string',
  companySize: 'string',
} as const satisfies FieldTable;

/** Fields of a position group's `company`; only `name` is always present. */
export const COMPANY_FIELDS = {
  id: 'integer',
  name: 'string',
  socialUrl: 'url',
  socialUrlSalesNav: 'url',
  logo: 'url',
  domain: 'string',
  website: 'url',
  industry: 'string',
  description: 'string',
  employeesOnSocial: 'integer',
  foundedOn: 'integer',
  headQuarter: 'string',
  size: 'string',
  type: 'string',
} as const satisfies FieldTable;

/** Fields of one entry of `profilePositions` besides `date`. */
export const POSITION_FIELDS = {
  title: 'string',
  description: 'string',
  companyName: 'string',
} as const satisfies FieldTable;

type ValueOf<T extends FieldType> = T extends 'integer' ? number : string;
export type FieldsOf<T extends FieldTable> = { readonly [K in keyof T]?: ValueOf<T[K]> };

/** A month (1-12) and a year; either may be missing, and both are for the end of a current position. */
export interface PartialDate {
  readonly month?: number;
  readonly year?: number;
}

export interface DateRange {
  readonly start: PartialDate;
  readonly end: PartialDate;
}

export type Company = FieldsOf<typeof COMPANY_FIELDS>;
export type Position = FieldsOf<typeof POSITION_FIELDS> & { readonly date: DateRange };

export interface PositionGroup {
  readonly company: Company;
  readonly date: DateRange;
  readonly profilePositions: readonly Position[];
}

export type Profile = FieldsOf<typeof PROFILE_FIELDS> & {
  readonly positionGroups: readonly PositionGroup[];
};

export const EMAIL_STATUSES = ['deliverable', 'risky', 'undeliverable', 'unknown'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

export interface Email {
  readonly email?: string;
  /** One of {@link EMAIL_STATUSES}. */
  readonly status?: string;
  /** The platform's own word; absent if it is `status`. */
  readonly platformStatus?: string;
}

/**
 * The decoded result of one enrichment, as it is stored. A block that the platform left out, or sent
 * as `{}`, is absent. An answer to `verify_email` arrives in `find_email` as well: it is an e-mail and
 * its status (no block of its own is documented).
 */
export interface Result {
  readonly find_email?: Email;
  readonly find_phone?: { readonly phone?: string };
  readonly social_enrichment?: Profile;
  /** The values of each custom ask that found something, by the names of its fields. */
  readonly custom?: Readonly<Record<string, CustomValues>>;
}

export type CustomValues = Readonly<Record<string, string | number | boolean>>;
