// Writes a job file for a person who has never seen one: each key has a comment, and the keys that are likely to be
// needed next are commented out.
import { Document, isCollection, isMap, isNode, isPair, isScalar, isSeq, visit } from 'yaml';
import { type JobFile, jobSchema } from './job-schema.js';

type Key = keyof JobFile;

const REMARKS: Readonly<Record<Key, string>> = {
  input: `What to read: your file of leads (CSV, NDJSON or XLSX, plain or gzipped), or a pattern like
inbox/*.csv: then each file is done once.
Paths begin in the folder where sluice is started.`,
  out: 'Where the enriched table goes. Each run replaces it in one step; {date}, {input}, {job} and\n{run} make a name of its own. {people: …, positions: …, companies: …} makes several tables.',
  report:
    'A page of charts that shows how each run went, written at its end: data/out/{job}-{run}.html.',
  ask: `What to ask for each lead: find_email, verify_email, social_enrichment, find_phone.
Each costs credits where something is found; "sluice plan" says how many at most.`,
  map: `Which column of your file holds what. What is named here is sent to the platform.
An input that is not named is guessed from the headers; a name of "" keeps it from being sent.`,
  url: 'Base address of the platform. "sandbox" is one inside Sluice: it costs nothing, and makes everything up.',
  dialect: "Describes the platform's names and paths, where they are not the usual ones.",
  account:
    'Who pays: what is paid for is known under this name. Usually your user name; give one if your key changes.',
  concurrency: 'How many requests may be under way at the same time.',
  rate: 'The limit of the platform, if it is not that of the dialect: requests in a span of time, like 20/2s.',
  columns:
    'Which columns the table has, in which order; { Job title: position_title } renames one. Without it: all.',
  key: 'The column of your file that names a row, to merge the table back by. It comes first.',
  positions: "How the jobs in a person's profile are written: current, wide:N, long or json.",
  'fresh-for': 'How long a result is used again before it is paid for again.',
  keep: 'How long runs stay in the state. Without it they stay until "sluice prune"; results stay while they are fresh.',
  'keep-deliveries':
    'How long the text of a webhook stays once it has settled its leads, for "sluice replay --all".',
  limit: 'Reads at most this many leads: good for a first try.',
  where:
    'Which leads are asked, by the columns of your file: country in (FR, DE) and Email is empty.',
  'only-missing':
    'Asks only for leads that have no e-mail address, or no phone number, of their own.',
  sample: 'Asks only for this many of the leads, at random: the same ones again, and none twice.',
  fill: 'Columns of your file whose empty cells the table fills with what was found: { email: Email, phone: Phone }.',
  seed: 'Another number takes another sample.',
  deadline: 'How long to wait for the answer to a lead.',
  collect: 'How results come back: asked for (poll), delivered (webhook), or both (hybrid).',
  listen: 'Where the results are received that the platform delivers.',
  'public-url':
    'The address under which the platform reaches this machine, to deliver results. Without one they are asked for.',
  callback:
    'How the platform learns where to deliver: a URL in each request, or one registered hook.',
  'claim-wait': 'How long to wait at the end for results of leads whose request was lost.',
  submit: 'One request for each lead (single), or many leads in one (bulk).',
  list: 'The contact list of the platform that the leads go into.',
  notify:
    'Where to send a notice when a run has ended: an address, a command, or both; always, or only on trouble.',
  budget: 'The most credits that one run may spend. It stops before it could spend more.',
  prices:
    'What one hit costs, by what is asked. Until you say it, the prices are those of the dialect, or assumed.',
  'first-batch':
    'Until a value was read with this dialect and account, no more paid requests than this are under way.',
  'pay-anew':
    'Pays without asking for leads that are known under another account, or under other guessed inputs.',
  schedule:
    'When workers begin a run by themselves, as in crontab: "0 2 * * *". "sluice schedule apply" takes it over.',
  timezone: 'The time zone of the schedule.',
  'catch-up':
    'What becomes of times at which no worker was there: one run for all of them, or none.',
  state:
    'The file, or the database (postgres://…), in which Sluice remembers what was paid for. Jobs that share it share that.',
  'metrics-file':
    'Where the metrics of a run are written when it has ended, for a collector to read.',
  'metrics-listen': 'Where metrics are served while a run lasts.',
  format: 'What your file is: csv or ndjson. A workbook (.xlsx) is always known.',
  sheet: 'The sheet of your workbook that holds the leads.',
  'header-row':
    'The line of your file with the names of the columns; what stands above is passed over.',
  delimiter: 'The character between two columns of your file.',
  'delimiter-out': 'The character between two columns of the table.',
  encoding: 'How your file is encoded.',
  dictionary: 'Writes beside each table what its columns mean: people.schema.json.',
  bom: 'Begins the table with a byte order mark.',
  excel: 'Writes the table so that Excel opens it right with a double click.',
  'formula-guard': 'Keeps text from the platform from starting a formula in a spreadsheet.',
};

/** Keys that are shown commented out if the job does not state them. */
const HINTS: Readonly<Partial<Record<Key, string>>> = {
  'fresh-for': '30d',
  'public-url': 'https://leads.example.com/sluice',
  budget: '500',
};

/**
 * `schema` is the path of the JSON Schema, relative to the file; an editor uses it to complete and check the keys.
 * `sluice run` reads the same `job` from the text.
 */
export function writeJob(name: string, job: JobFile, schema: string | undefined): string {
  const head = [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}\n`]),
    remark(`A job for Sluice. Run it with: sluice run ${name}
"sluice run --help" lists every key, each as a flag. \${NAME} is an environment variable.`),
  ].join('');
  const keys = Object.keys(jobSchema.shape) as Key[];
  return [head, ...keys.map((key) => blockOf(key, job[key]))]
    .filter((block) => block !== '')
    .join('\n');
}

function blockOf(key: Key, value: JobFile[Key]): string {
  if (value !== undefined) return remark(REMARKS[key]) + writeYaml({ [key]: value });
  const hint = HINTS[key];
  return hint === undefined ? '' : remark(`${REMARKS[key]}\n${key}: ${hint}`);
}

function remark(text: string): string {
  return text
    .split('\n')
    .map((line) => `# ${line}\n`)
    .join('');
}

/**
 * Writes a value as a person would write YAML: a list of plain values is on one line. `remarkOf` gives the comment
 * beside a value that holds no other key, by its dotted path.
 */
export function writeYaml(
  value: object,
  remarkOf: (key: string) => string | undefined = () => undefined,
): string {
  // Otherwise two keys that share a list in memory would become an anchor and an alias.
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, list) => {
      list.flow ??= list.items.every(isScalar);
    },
    Pair: (_, { key, value: inner }, ancestors) => {
      // What stands in a list is said of the whole list.
      if (ancestors.some(isSeq)) return undefined;
      const isLeaf = !isMap(inner) || inner.items.length === 0;
      const path = [...ancestors.filter(isPair).map((one) => one.key), key].map(String);
      const text = isLeaf && isNode(inner) ? remarkOf(path.join('.')) : undefined;
      if (text === undefined || !isNode(inner)) return undefined;
      inner.comment = ` ${text}`;
      // Beside a list of lines a comment would stand below them.
      if (isCollection(inner)) inner.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ flowCollectionPadding: false });
}
