// Records the calls of a run as a transcript (docs/dialects.md, Transcripts), without credentials.
import { appendFile, readFile } from 'node:fs/promises';
import type { Dialect } from '../../dialect/dialect.js';
import type {
  Message,
  Exchange as Recorded,
  RecordedLead,
} from '../../dialect/transcript/recorded.js';
import { INPUTS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import { reasonOf } from '../../output/output-problem.js';
import type { Call, Carry, Exchange } from '../../platform/wire/exchange.js';

interface CallRecord {
  /** The wrapper for the options of a run. */
  readonly carrying: (carry: Carry) => Carry;
  /**
   * Adds all answered calls to the file, which only its owner may read; does nothing if there are none.
   * @throws SluiceError `output`
   */
  write(lead: RecordedLead): Promise<void>;
}

const FIRST_LINE = '# written by "sluice dialect try"';

/** @throws SluiceError `usage` for an existing file that is not such a transcript */
export async function openTranscript(file: string, { auth, limits }: Dialect): Promise<CallRecord> {
  const before = await readFile(file, 'utf8').catch(() => '');
  if (before !== '' && !before.startsWith(FIRST_LINE)) {
    const message = `${file} is there already, and is no transcript of "sluice dialect try". Give another name with --transcript.`;
    throw new SluiceError('usage', message, { file });
  }
  const all: { readonly call: Call; readonly answer: Extract<Exchange, { kind: 'answered' }> }[] =
    [];
  const secretHeader = (auth === 'basic' ? 'authorization' : auth.header).toLowerCase();
  const told = new Set(Object.values(limits.headers).map((name) => name.toLowerCase()));
  return {
    carrying: (carry) => async (call, how) => {
      const exchange = await carry(call, how);
      if (exchange.kind === 'answered') all.push({ call, answer: exchange });
      return exchange;
    },
    write: async (lead) => {
      if (all.length === 0) return;
      const parts = all.map(({ call, answer }) => ({
        question: {
          method: call.method,
          target: call.path,
          headers: shownHeaders(call.headers, secretHeader),
          body: call.body ?? '',
        },
        answer: {
          status: answer.status,
          headers: Object.fromEntries(
            Object.entries(answer.headers).flatMap(([name, value]) =>
              told.has(name.toLowerCase()) && typeof value === 'string' ? [[name, value]] : [],
            ),
          ),
          body: answer.text,
        },
      }));
      const secrets = all.flatMap(({ call }) => secretsIn(call, secretHeader));
      const text = secrets.reduce(
        (shown, secret) => shown.replaceAll(secret, '…'),
        writeTranscript(lead, parts),
      );
      try {
        await appendFile(file, before === '' ? `${FIRST_LINE}\n${text}` : `\n${text}`, {
          mode: 0o600,
        });
      } catch (cause) {
        const message = `The transcript ${file} cannot be written: ${reasonOf(cause)}.`;
        throw new SluiceError('output', message, { file }, { cause });
      }
    },
  };
}

/** Headers of every client, which say nothing. */
const USUAL = new Set(['accept', 'content-type', 'user-agent']);

function shownHeaders(headers: Call['headers'], secret: string): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => !USUAL.has(name.toLowerCase()));
  return Object.fromEntries(
    shown.map(([name, value]) => [
      name,
      name.toLowerCase() === secret ? value.replace(/[^ ]*$/, '…') : value,
    ]),
  );
}

/** The credential in a call; for HTTP Basic also its password. */
function secretsIn({ headers }: Call, secret: string): string[] {
  const [, value = ''] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === secret) ?? [];
  const token = value.split(' ').at(-1) ?? '';
  const password = /^basic /i.test(value)
    ? Buffer.from(token, 'base64').toString('utf8').split(':').slice(1).join(':')
    : '';
  return [token, password].filter((text) => text.length >= 4);
}

/** The text of a transcript about one lead, as `readTranscript` reads it. */
function writeTranscript(
  { inputs, ask }: RecordedLead,
  parts: readonly Pick<Recorded, 'question' | 'answer'>[],
): string {
  const values = INPUTS.flatMap((name) =>
    inputs[name] === undefined ? [] : [`${name}=${inputs[name]}`],
  );
  const head = [`# lead: ${values.join(', ')}`, `# ask: ${ask.join(', ')}`];
  const exchanges = parts.map(({ question, answer }) => [
    `${question.method} ${question.target}`,
    ...messageLines('>', question),
    `< ${answer.status}`,
    ...messageLines('<', answer),
  ]);
  return `${head.join('\n')}\n${exchanges.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function messageLines(mark: '>' | '<', { headers, body }: Message): string[] {
  const lines = body === '' ? [] : body.split(/\r?\n/).map((line) => line.trimEnd());
  // An empty line keeps a text from being taken for a header.
  const gap = body === '' || /^[[{]/.test(body) ? [] : [mark];
  return [
    ...Object.entries(headers).map(([name, value]) => `${mark} ${name}: ${value}`),
    ...gap,
    ...lines.map((line) => `${mark} ${line}`.trimEnd()),
  ];
}
