// Text in the escapes of URLs, of JSON and programs, and of HTML: a platform may repeat a text in any of them.

/** One escape. The bytes of one character in a URL are one escape; a byte that belongs to no character is Latin-1. */
const ESCAPE =
  /%(?:u[\da-fA-F]{4}|[cdCD][\da-fA-F]%[89abAB][\da-fA-F]|[eE][\da-fA-F](?:%[89abAB][\da-fA-F]){2}|[fF][0-7](?:%[89abAB][\da-fA-F]){3}|[\da-fA-F]{2})|\\(?:u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|U[\da-fA-F]{8}|x[\da-fA-F]{2}|["'\\/bfnrt])|&(?:#\d{1,7};?|#[xX][\da-fA-F]{1,6};?|[a-zA-Z]{2,7};)/g;

/** The number of times that a text may be encoded. */
const TIMES_MAX = 2;

const CONTROLS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

// HTML's names of ASCII signs, each with its sign; names of accented letters go by their accents.
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...`amp& lt< gt> quot" apos' commat@ period. sol/ colon: semi; comma, plus+ equals= num# percnt% excl! quest?
    dollar$ ast* lowbar_ bsol\\ grave\` Hat^ vert| verbar| lpar( rpar) lsqb[ rsqb] lbrack[ rbrack] lcub{ rcub}
    lbrace{ rbrace} szligß aeligæ AEligÆ oslashø OslashØ`
    .split(/\s+/)
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)] as const),
  ['nbsp', '\u00a0'],
  ['Tab', '\t'],
  ['NewLine', '\n'],
]);
const ACCENTS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  caron: '\u030c',
  cedil: '\u0327',
};

/** The character of one escape; the escape itself if it has no character. */
function unescapeOne(escape: string): string {
  if (escape.startsWith('%')) return fromUrl(escape);
  if (escape.startsWith('&')) return fromEntity(escape, escape.slice(1).replace(';', ''));
  if (escape.length === 2) return CONTROLS[escape.slice(1)] ?? escape.slice(1);
  return fromCode(escape, escape.replace(/^\\[uUx]\{?|\}$/g, ''), 16);
}

function fromUrl(escape: string): string {
  if (escape[1] === 'u') return fromCode(escape, escape.slice(2), 16);
  try {
    return decodeURIComponent(escape);
  } catch {
    // Several bytes that make no character become the first of them: only the rest of the text counts.
    return fromCode(escape, escape.slice(1, 3), 16);
  }
}

function fromEntity(escape: string, name: string): string {
  if (/^#[xX]/.test(name)) return fromCode(escape, name.slice(2), 16);
  if (name.startsWith('#')) return fromCode(escape, name.slice(1), 10);
  const accent = Object.hasOwn(ACCENTS, name.slice(1)) ? ACCENTS[name.slice(1)] : undefined;
  if (accent !== undefined) return `${name[0]}${accent}`.normalize('NFC');
  return ENTITIES.get(name) ?? escape;
}

function fromCode(escape: string, digits: string, base: 10 | 16): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
}

/** A text as it is, and with its escapes undone, up to twice. */
export function* readingsOf(text: string): Generator<string> {
  yield text;
  let reading = text;
  for (let times = 0; times < TIMES_MAX; times += 1) {
    const next = reading.replace(ESCAPE, unescapeOne);
    if (next === reading) return;
    yield next;
    reading = next;
  }
}
