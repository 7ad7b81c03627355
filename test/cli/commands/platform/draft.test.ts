import { describe, expect, it } from 'vitest';
import { shownHtml, tellDraft } from '../../../../src/cli/commands/platform/draft.js';
import type { Draft } from '../../../../src/model/resources/resources.js';
import type { JsonValue } from '../../../../src/model/text/json.js';
import { asText } from '../../../../src/tell/as-text.js';

const BARE: Draft = {
  id: 'drf_1',
  channel: undefined,
  subject: undefined,
  cc: [],
  content: undefined,
  attachments: [],
  source: undefined,
  createdAt: undefined,
  updatedAt: undefined,
};

function draftText(draft: Draft): string {
  return asText(tellDraft(draft).parts).join('\n');
}

describe('the copies of a draft', () => {
  it.each<[string, JsonValue[], string]>([
    ['an address', ['a@b.example'], 'a@b.example'],
    ['an address with a name', [{ address: 'a@b.example', name: 'Ada' }], 'Ada <a@b.example>'],
    ['an address without one', [{ address: 'a@b.example', name: '' }], 'a@b.example'],
    ['several', ['a@b.example', { address: 'c@d.example' }], 'a@b.example, c@d.example'],
    ['another shape', [{ email: 'a@b.example' }, 7], '{"email":"a@b.example"}, 7'],
    ['a name that steers', [{ address: 'a@b.example', name: '\u001b[2J' }], ' [2J <a@b.example>'],
  ])('are shown for people: %s', (_, cc, shown) => {
    expect(draftText({ ...BARE, cc }).split('\n')[0]).toBe(`Cc: ${shown}`);
  });
});

describe('the content of a draft', () => {
  it.each(['<div>', '<b>', '<table><tr><td>', '<ul><li>', '<blockquote>'])(
    'is shown also where it is nested without an end: %s',
    (tag) => {
      const content = `Hello${tag.repeat(40_000)}there`;
      expect(draftText({ ...BARE, content })).toContain('Hello');
    },
  );

  it('is shown whole where it is as long as a book', () => {
    const words = 'word '.repeat(20_000);
    expect(draftText({ ...BARE, content: `<p>${words}</p>end` })).toMatch(/word\n\nend$/);
  });
});

describe('the HTML of a draft', () => {
  const HTML = '<p>\u001b[31mred\u009b2J\u202e\t</p>\r\none\rtwo\n';

  it('cannot steer a terminal, and keeps its line breaks and tabs', () => {
    expect(shownHtml(HTML, true)).toBe('<p> [31mred 2J \t</p>\r\none two\n');
  });

  it('is as it is for a file or a pipe', () => {
    expect(shownHtml(HTML, false)).toBe(HTML);
  });
});
