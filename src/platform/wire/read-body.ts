// Unpacks and decodes a body, as its headers say.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import pLimit from 'p-limit';
import type { BodyFlaw, BodyForm, BodyReader, ReadBody } from '../../ports/body.js';
import { quoteText } from '../redact/quote.js';

type Unpack = (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>;

const inflateZlib: Unpack = promisify(inflate);
const inflateBare: Unpack = promisify(inflateRaw);
const UNPACKERS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  // Some servers leave out the head of zlib, whose first byte ends in 8.
  ['deflate', (bytes, how) => ((bytes[0] ?? 0) % 16 === 8 ? inflateZlib : inflateBare)(bytes, how)],
  ['br', promisify(brotliDecompress)],
]);
/** The number of packings around one another; more are an attack. */
const PACKINGS_MAX = 3;
const NAME_LENGTH_MAX = 40;

/** Each takes the memory of an unpacked body until its text is made. */
const inTurn = pLimit(4);

export const readBody: BodyReader = (bytes, form) => {
  const names = packingsOf(form.encoding);
  const unpackers = names.map((name) => UNPACKERS.get(name)).filter((one) => one !== undefined);
  const packed = `packed as ${quoted(names.join(', '))}`;
  if (unpackers.length < names.length || names.length > PACKINGS_MAX) {
    return Promise.resolve(
      flawed('unknownEncoding', `the body is ${packed}, which is not known here`),
    );
  }
  if (bytes.length === 0 || names.length === 0) return Promise.resolve(decode(bytes, form));
  return inTurn(async () => {
    try {
      let unpacked = bytes;
      for (const unpack of unpackers.toReversed()) {
        unpacked = await unpack(unpacked, { maxOutputLength: form.bytesMax });
      }
      return decode(unpacked, form);
    } catch (error) {
      return error instanceof RangeError
        ? flawed(
            'tooLarge',
            `the body is ${packed}, and longer than ${form.bytesMax} bytes without`,
          )
        : flawed('brokenOff', `the body is ${packed}, and cannot be unpacked`);
    }
  });
};

function packingsOf(encoding = ''): string[] {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase().replace(/^x-/, ''));
  return names.filter((name) => name !== '' && name !== 'identity');
}

function decode(bytes: Buffer, { type = '' }: BodyForm): ReadBody {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(type) ?? [];
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes) };
  } catch {
    const flaw: BodyFlaw = { kind: 'notText', says: `the body is no text in ${quoted(charset)}` };
    return { text: new TextDecoder().decode(bytes), flaw };
  }
}

function quoted(name: string): string {
  return `"${quoteText(name, [], NAME_LENGTH_MAX)}"`;
}

function flawed(kind: BodyFlaw['kind'], says: string): ReadBody {
  return { text: '', flaw: { kind, says } };
}
