// Checks a dialect against a file of recorded questions and answers, or serves the answers to a run. It sends nothing.
import { readFile, stat } from 'node:fs/promises';
import { loadDialect } from '../../config/load-dialect.js';
import { isStated } from '../../config/stated-keys.js';
import { asksOf } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import { singleForm } from '../../dialect/forms.js';
import { readTranscript } from '../../dialect/transcript/read-transcript.js';
import type { TranscriptPart } from '../../dialect/transcript/recorded.js';
import { valueAt } from '../../dialect/wire-path.js';
import { INPUTS } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { GuessedInput, TranscriptCheck } from '../../model/resources/transcript-check.js';
import { parseJson } from '../../model/text/json.js';
import { checkTranscript as check } from '../../platform/replay/check-transcript.js';
import type { ProveWebhook } from '../../platform/replay/replay.js';
import {
  type ServeOptions,
  serveTranscript as serve,
  type TranscriptServer,
} from '../../platform/replay/serve-transcript.js';
import { createProof, proofHeaders } from '../../webhook/proof.js';

const FILE_BYTES_MAX = 1_024 * 1_024;

/** @throws SluiceError `usage` for a dialect or a transcript that cannot be read */
export async function checkTranscript(dialect: string, file: string): Promise<TranscriptCheck> {
  const loaded = await loadDialect(dialect);
  const parts = readTranscript(await textOf(file), file, asksOf(loaded));
  return { ...(await check(loaded, parts, proveWebhook)), guessed: guessedInputs(loaded, parts) };
}

/** @throws SluiceError `usage` as `checkTranscript`, and for a port that is taken */
export async function serveTranscript(
  dialect: string,
  file: string,
  options: Omit<ServeOptions, 'dialect' | 'sign'>,
): Promise<TranscriptServer> {
  const loaded = await loadDialect(dialect);
  const parts = readTranscript(await textOf(file), file, asksOf(loaded));
  const sign: ServeOptions['sign'] = ({ headers, secret }, body) =>
    secret === undefined ? headers : { ...headers, ...proofHeaders(loaded.webhooks, secret, body) };
  return serve(parts, { ...options, dialect: loaded, sign });
}

/**
 * The inputs whose names a dialect file that describes submissions leaves to the neutral dialect, and that no lead
 * shows.
 */
function guessedInputs(dialect: Dialect, parts: readonly TranscriptPart[]): GuessedInput[] {
  const shown = new Set(
    parts.flatMap(({ leads }) => leads.flatMap(({ inputs }) => Object.keys(inputs))),
  );
  const form = singleForm(dialect);
  if (form === undefined || !isStated(dialect, 'enrich')) return [];
  return INPUTS.flatMap((input) => {
    const key = `enrich.inputs.${input}`;
    const name = form.spots.get(input)?.keys.join('.');
    if (name === undefined || shown.has(input) || isStated(dialect, key)) return [];
    return [{ key, name }];
  });
}

/** Judges a recorded delivery as the listener does. */
const proveWebhook: ProveWebhook = (webhooks, secret, { headers, body }) => {
  const proof = createProof({ webhooks, secret, key: secret });
  if (proof.judgeSignature(headers, Buffer.from(body)) !== undefined) {
    return 'the signature is not that of this body by the secret above it';
  }
  const { place } = proof;
  if (place === null) return undefined;
  const shown =
    'at' in place ? valueAt(parseJson(body), place.at.join('.')) : headers[place.header];
  return shown === undefined || proof.secret.isRight('hook', shown)
    ? undefined
    : 'the secret that it shows is not the secret above it';
};

async function textOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    return await readFile(file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The transcript ${file} cannot be read: ${why}.`;
    throw new SluiceError('usage', message, {}, { cause });
  }
}
