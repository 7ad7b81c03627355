// A record of the people database (docs/platform-api.md, Person record): the list of its fields, against which a
// platform's answer is compared, and its types. Every field may be missing: a sample is one record.

/** The type of each field: a scalar's JSON type, texts of a known form, and the items of an array. */
interface ValueOf {
  integer: number;
  number: number;
  string: string;
  /** ISO 8601, with a time. */
  'date-time': string;
  /** ISO 8601. */
  date: string;
  /** An http(s) address. */
  url: string;
  boolean: boolean;
  'array of objects': readonly object[];
  'array of numbers': readonly number[];
}
export type FieldType = keyof ValueOf;
export type FieldTable = Readonly<Record<string, FieldType>>;

/** The fields of a record in the documented order, each with its type. */
export const PERSON_FIELDS = {
  lead_id: 'integer',
  canonical_shorthand_name: 'string',
  connections_count: 'integer',
  country: 'string',
  full_name: 'string',
  education: 'array of objects',
  experience_count: 'integer',
  experiences: 'array of objects',
  interests: 'array of objects',
  languages: 'array of objects',
  last_updated: 'date-time',
  lead_industry: 'string',
  lead_social_url: 'url',
  lead_logo_url: 'url',
  social_short: 'string',
  location: 'string',
  skills: 'array of objects',
  summary: 'string',
  title: 'string',
  lead_quality_score: 'integer',
  seniority: 'string',
  department: 'string',
  connections_count_bucket: 'string',
  years_of_exp_bucket: 'string',
  current_exp_company_name: 'string',
  /** Latitude, longitude. */
  geopoint: 'array of numbers',
  _score: 'number',
  _id: 'string',
} as const satisfies FieldTable;

export const EDUCATION_FIELDS = {
  activities_and_societies: 'string',
  created: 'date-time',
  date_from: 'date',
  date_to: 'date',
  /** May be empty. */
  deleted: 'string',
  description: 'string',
  id: 'string',
  last_updated: 'date-time',
  member_id: 'string',
  school_url: 'string',
  subtitle: 'string',
  title: 'string',
} as const satisfies FieldTable;

export const EXPERIENCE_FIELDS = {
  company_id: 'integer',
  company_description: 'string',
  company_employee_count: 'integer',
  company_followers_count: 'integer',
  /** Year. */
  company_founded: 'integer',
  company_headquarters_city: 'string',
  company_headquarters_country: 'string',
  company_industry: 'string',
  company_social_url: 'string',
  company_logo_url: 'string',
  company_name: 'string',
  company_size: 'string',
  company_type: 'string',
  company_url: 'string',
  company_website_url: 'string',
  revenue_bucket: 'string',
  company_domain: 'string',
  employees_count_growth: 'integer',
  last_funding_round_at: 'date',
  /** A marker, such as one for B2B. */
  business_business_customer: 'string',
  current_exp_bucket: 'string',
  created: 'date-time',
  date_from: 'date',
  /** Empty when current. */
  date_to: 'date',
  description: 'string',
  duration: 'string',
  id: 'string',
  last_updated: 'date-time',
  location: 'string',
  member_id: 'string',
  /** From 0. */
  order_in_profile: 'integer',
  title: 'string',
  title_normalized: 'string',
  main_in_profile: 'boolean',
} as const satisfies FieldTable;

export const ENTRY_FIELDS = {
  education: EDUCATION_FIELDS,
  experiences: EXPERIENCE_FIELDS,
  interests: { interest: 'string', interest_id: 'string' },
  languages: { language: 'string', proficiency: 'string' },
  skills: { skill: 'string', skill_id: 'string' },
} as const satisfies Readonly<Record<string, FieldTable>>;

type EntryOf<T extends FieldTable> = { readonly [Name in keyof T]?: ValueOf[T[Name]] };
type Lists = typeof ENTRY_FIELDS;

export type EducationEntry = EntryOf<Lists['education']>;
export type ExperienceEntry = EntryOf<Lists['experiences']>;
export type PersonRecord = Omit<EntryOf<typeof PERSON_FIELDS>, keyof Lists> & {
  readonly [Name in keyof Lists]?: readonly EntryOf<Lists[Name]>[];
};
