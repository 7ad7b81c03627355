// The people schema (docs/platform-api.md, GET /schema/people), with one sample record: every documented field, in
// order (docs/platform-api.md, Person record).
import type { FastifyInstance } from 'fastify';

const EDUCATION = {
  activities_and_societies: 'Rowing club',
  created: '2023-05-04T09:12:44.000Z',
  date_from: '2004-09-01',
  date_to: '2008-06-30',
  deleted: '',
  description: 'Thesis on queueing networks.',
  id: '480112',
  last_updated: '2024-01-01T03:00:00.000Z',
  member_id: '73920114',
  school_url: 'https://social.example/school/harbour-university',
  subtitle: 'Bachelor of Science, Operations Research',
  title: 'Harbour University',
};

const CURRENT_EXPERIENCE = {
  company_id: 5_120_334,
  company_description: 'Freight forwarding for small manufacturers.',
  company_employee_count: 240,
  company_followers_count: 8_150,
  company_founded: 1998,
  company_headquarters_city: 'Rotterdam',
  company_headquarters_country: 'Netherlands',
  company_industry: 'Logistics and Supply Chain',
  company_social_url: 'https://social.example/company/northwind-freight',
  company_logo_url: 'https://pictures.example/logos/5120334.png',
  company_name: 'Northwind Freight',
  company_size: '201-500',
  company_type: 'Privately Held',
  company_url: 'https://social.example/company/5120334',
  company_website_url: 'https://www.northwind-freight.example/',
  revenue_bucket: '10M-50M',
  company_domain: 'northwind-freight.example',
  employees_count_growth: 12,
  last_funding_round_at: '2021-03-15',
  business_business_customer: 'B2B',
  current_exp_bucket: '2-5',
  created: '2023-05-04T09:12:44.000Z',
  date_from: '2020-02-01',
  date_to: '',
  description: 'Leads sales in three countries.',
  duration: '3 years 11 months',
  id: '99120077',
  last_updated: '2024-01-01T03:00:00.000Z',
  location: 'Rotterdam, Netherlands',
  member_id: '73920114',
  order_in_profile: 0,
  title: 'Head of Sales',
  title_normalized: 'head of sales',
  main_in_profile: true,
};

const EARLIER_EXPERIENCE = {
  ...CURRENT_EXPERIENCE,
  current_exp_bucket: '',
  date_from: '2016-01-01',
  date_to: '2020-01-31',
  description: 'Opened the Nordic market.',
  duration: '4 years 1 month',
  id: '99120078',
  order_in_profile: 1,
  title: 'Account Executive',
  title_normalized: 'account executive',
  main_in_profile: false,
};

/** A person of the people database, entirely fictitious; the names of its fields are the answer's `properties`. */
export const SAMPLE_PERSON = {
  lead_id: 73_920_114,
  canonical_shorthand_name: 'jane-doe-4b2a91',
  connections_count: 812,
  country: 'Netherlands',
  full_name: 'Jane Doe',
  education: [EDUCATION],
  experience_count: 2,
  experiences: [CURRENT_EXPERIENCE, EARLIER_EXPERIENCE],
  interests: [{ interest: 'Sailing', interest_id: 'sailing' }],
  languages: [{ language: 'English', proficiency: 'Native or bilingual' }],
  last_updated: '2024-01-01T03:00:00.000Z',
  lead_industry: 'Logistics and Supply Chain',
  lead_social_url: 'https://social.example/in/jane-doe-4b2a91',
  lead_logo_url: 'https://pictures.example/73920114.jpg',
  social_short: 'jane-doe-4b2a91',
  location: 'Rotterdam, Netherlands',
  skills: [{ skill: 'Negotiation', skill_id: 'negotiation' }],
  summary: 'Sells room on ships.',
  title: 'Head of Sales',
  lead_quality_score: 87,
  seniority: 'Head',
  department: 'Sales',
  connections_count_bucket: '501-1000',
  years_of_exp_bucket: '6-10',
  current_exp_company_name: 'Northwind Freight',
  geopoint: [51.9225, 4.47917],
  _score: 12.75,
  _id: '73920114',
};

const PEOPLE_SCHEMA = {
  schema: SAMPLE_PERSON,
  version: { since: 20_240_101, type: 'date' },
  properties: Object.keys(SAMPLE_PERSON),
};

/** `GET /schema/people`: 200 with one sample record, its version and its field names in order. */
export function registerPeopleSchema(app: FastifyInstance): void {
  app.get('/schema/people', () => PEOPLE_SCHEMA);
}
