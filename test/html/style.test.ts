import { expect, it } from 'vitest';
import { STYLE } from '../../src/html/style.js';

const TONES = ['good', 'miss', 'bad', 'wait', 'warn', 'known', 'idle'];
/** Text, and what it stands on. */
const TEXTS = [
  ...['page', 'card', 'sunk'].flatMap((ground) => [
    ['ink', ground],
    ['quiet', ground],
    ['link', ground],
  ]),
  ...TONES.filter((tone) => tone !== 'idle').map((tone) => [tone, `${tone}-soft`]),
  ['quiet', 'idle-soft'],
  ['on-main', 'link'],
  ['bad', 'card'],
];
/** What is drawn, and what it stands on. */
const SHAPES = [...TONES, ...TONES.map((tone) => `${tone}-fill`), 'edge'].flatMap((shape) => [
  [shape, 'card'],
  [shape, 'sunk'],
]);

it.each(['light', 'dark'])(
  'keeps text and shapes apart from their ground in the %s theme',
  (theme) => {
    const colours = coloursOf(theme === 'light' ? 0 : 1);
    const low = (pairs: string[][], least: number) =>
      pairs
        .map(([one = '', other = '']) => ({
          pair: `${one} on ${other}`,
          ratio: contrast(colours.get(one), colours.get(other)),
        }))
        .filter(({ ratio }) => !(ratio >= least));
    expect([...low(TEXTS, 4.5), ...low(SHAPES, 3)]).toEqual([]);
  },
);

it('fetches nothing, and ends no element', () => {
  expect(STYLE).not.toMatch(/url\(|@import|<|http/);
});

function coloursOf(theme: number): Map<string, string> {
  const block = STYLE.split(':root{')[theme + 1]?.split('}')[0] ?? '';
  return new Map(
    Array.from(block.matchAll(/--([a-z-]+):(#[0-9a-f]+)/g), ([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

/** The contrast of WCAG 2; NaN for a colour that is missing. */
function contrast(one = '', other = ''): number {
  const [dark = NaN, light = NaN] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour;
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
