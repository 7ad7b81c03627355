// The words that made-up people and companies are built from. All of them are fiction.

type Words = readonly [string, ...string[]];

export const FIRST_NAMES: Words = [
  'Jane',
  'Ada',
  'Noël',
  'Zoë',
  'Mateo',
  'Ingrid',
  'Kwame',
  'Priya',
  'Yuki',
  'Søren',
  'Łucja',
  'Omar',
  'Chloé',
  'Bao',
  'Anne-Marie',
  'Tom',
];

export const LAST_NAMES: Words = [
  'Doe',
  'García',
  "O'Brien",
  'Müller',
  'van der Berg',
  'Nguyen',
  'Strauß',
  'Okafor',
  'Tanaka',
  'Ødegård',
  'Iyer',
  'Kowalska',
  'Haddad',
  'Dupont-Leroy',
  'Smith',
  'Li',
];

export const COMPANY_NAMES: Words = [
  'Northwind Freight',
  'Blue Heron Labs',
  'Café Lumière',
  'Quarry & Sons',
  'Öresund Kraft',
  'Pale Fox',
  'Tessellate',
  'Grünwald Optik',
  'Santa Rosa Foods',
  'Kiteworks Studio',
  'Lantern Health',
  'Harbour 9',
];

export const CITIES: Words = [
  'Paris, Île-de-France, France',
  'São Paulo, Brazil',
  'Austin, Texas, United States',
  'Zürich, Switzerland',
  'Osaka, Japan',
  'Nairobi, Kenya',
  'Leeds, England, United Kingdom',
  'Malmö, Sweden',
];

export const INDUSTRIES: Words = [
  'Software Development',
  'Food & Beverages',
  'Oil, Gas, and Mining',
  'Hospital & Health Care',
  'Logistics and Supply Chain',
  'Higher Education',
  'Arts & Crafts',
];

export const TITLES: Words = [
  'Head of Sales',
  'Software Engineer',
  'VP Marketing, EMEA',
  'Founder & CEO',
  'Account Executive',
  'Directrice générale',
  'Data Analyst',
  'Chief of Staff',
  'Werkstudent (m/w/d)',
];

export const SKILLS: Words = [
  'Negotiation',
  'SQL',
  'C++',
  'Public Speaking',
  'Forecasting',
  'Cold Calling',
  'Node.js',
  'Gestion de projet',
  'Copywriting',
];

export const LANGUAGES: Words = ['English', 'French', 'German', 'Español', '日本語', 'العربية'];

export const SENTENCES: Words = [
  'We help small teams ship sooner.',
  'Built the region from zero to forty customers in three years.',
  'I like maps, slow trains and well-kept spreadsheets.',
  'Responsible for budget, hiring and the occasional miracle.',
  'Family business since 1921; still run from the same street.',
  'Previously in research, now in the field.',
];

export const COMPANY_SIZES: Words = ['1-10', '11-50', '51-200', '201-500', '1001-5000', '10001+'];

export const COMPANY_TYPES: Words = [
  'Privately Held',
  'Public Company',
  'Nonprofit',
  'Partnership',
];
