// A record of the people database (docs/platform-api.md, Person record): its types, and the list of its fields
// against which a platform's answer is compared. Every field may be missing: a sample is one record.

/** How a field is told: scalars by their JSON type; arrays by what they hold. */
export type FieldType =
  | 'integer'
  | 'number'
  | 'string'
  | 'boolean'
  | 'array of objects'
  | 'array of numbers';

export interface EducationEntry {
  readonly activities_and_societies?: string;
  /** ISO 8601 date-time. */
  readonly created?: string;
  readonly date_from?: string;
  readonly date_to?: string;
  /** May be empty. */
  readonly deleted?: string;
  readonly description?: string;
  readonly id?: string;
  /** ISO 8601 date-time. */
  readonly last_updated?: string;
  readonly member_id?: string;
  readonly school_url?: string;
  readonly subtitle?: string;
  readonly title?: string;
}

export interface ExperienceEntry {
  readonly company_id?: number;
  readonly company_description?: string;
  readonly company_employee_count?: number;
  readonly company_followers_count?: number;
  /** Year. */
  readonly company_founded?: number;
  readonly company_headquarters_city?: string;
  readonly company_headquarters_country?: string;
  readonly company_industry?: string;
  readonly company_social_url?: string;
  readonly company_logo_url?: string;
  readonly company_name?: string;
  readonly company_size?: string;
  readonly company_type?: string;
  readonly company_url?: string;
  readonly company_website_url?: string;
  readonly revenue_bucket?: string;
  readonly company_domain?: string;
  readonly employees_count_growth?: number;
  readonly last_funding_round_at?: string;
  /** Such as a B2B marker. */
  readonly business_business_customer?: string;
  readonly current_exp_bucket?: string;
  /** ISO 8601 date-time. */
  readonly created?: string;
  readonly date_from?: string;
  /** Empty when current. */
  readonly date_to?: string;
  readonly description?: string;
  readonly duration?: string;
  readonly id?: string;
  /** ISO 8601 date-time. */
  readonly last_updated?: string;
  readonly location?: string;
  readonly member_id?: string;
  /** From 0. */
  readonly order_in_profile?: number;
  readonly title?: string;
  readonly title_normalized?: string;
  readonly main_in_profile?: boolean;
}

export interface PersonRecord {
  readonly lead_id?: number;
  readonly canonical_shorthand_name?: string;
  readonly connections_count?: number;
  readonly country?: string;
  readonly full_name?: string;
  readonly education?: readonly EducationEntry[];
  readonly experience_count?: number;
  readonly experiences?: readonly ExperienceEntry[];
  readonly interests?: readonly { readonly interest?: string; readonly interest_id?: string }[];
  readonly languages?: readonly { readonly language?: string; readonly proficiency?: string }[];
  /** ISO 8601 date-time. */
  readonly last_updated?: string;
  readonly lead_industry?: string;
  readonly lead_social_url?: string;
  readonly lead_logo_url?: string;
  readonly social_short?: string;
  readonly location?: string;
  readonly skills?: readonly { readonly skill?: string; readonly skill_id?: string }[];
  readonly summary?: string;
  readonly title?: string;
  readonly lead_quality_score?: number;
  readonly seniority?: string;
  readonly department?: string;
  readonly connections_count_bucket?: string;
  readonly years_of_exp_bucket?: string;
  readonly current_exp_company_name?: string;
  /** Latitude, longitude. */
  readonly geopoint?: readonly number[];
  readonly _score?: number;
  readonly _id?: string;
}

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
  last_updated: 'string',
  lead_industry: 'string',
  lead_social_url: 'string',
  lead_logo_url: 'string',
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
  geopoint: 'array of numbers',
  _score: 'number',
  _id: 'string',
} as const satisfies Readonly<Record<keyof PersonRecord, FieldType>>;

/** The fields of an entry of `education`. */
export const EDUCATION_FIELDS = {
  activities_and_societies: 'string',
  created: 'string',
  date_from: 'string',
  date_to: 'string',
  deleted: 'string',
  description: 'string',
  id: 'string',
  last_updated: 'string',
  member_id: 'string',
  school_url: 'string',
  subtitle: 'string',
  title: 'string',
} as const satisfies Readonly<Record<keyof EducationEntry, FieldType>>;

/** The fields of an entry of `experiences`. */
export const EXPERIENCE_FIELDS = {
  company_id: 'integer',
  company_description: 'string',
  company_employee_count: 'integer',
  company_followers_count: 'integer',
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
  last_funding_round_at: 'string',
  business_business_customer: 'string',
  current_exp_bucket: 'string',
  created: 'string',
  date_from: 'string',
  date_to: 'string',
  description: 'string',
  duration: 'string',
  id: 'string',
  last_updated: 'string',
  location: 'string',
  member_id: 'string',
  order_in_profile: 'integer',
  title: 'string',
  title_normalized: 'string',
  main_in_profile: 'boolean',
} as const satisfies Readonly<Record<keyof ExperienceEntry, FieldType>>;
