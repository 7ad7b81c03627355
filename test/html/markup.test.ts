import { assert, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { html } from '../../src/html/markup.js';

it('escapes text, and leaves markup as it is', () => {
  const name = `<b title="x">&'`;
  expect(
    String(html`<p title="${name}">${html`<i>${name}</i>`}${[1, 'a<', null, false]}</p>`),
  ).toBe(
    '<p title="&lt;b title=&quot;x&quot;&gt;&amp;&#39;"><i>&lt;b title=&quot;x&quot;&gt;&amp;&#39;</i>1a&lt;</p>',
  );
});

it('lets no text end an element or a value, whatever it is', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      expect(String(html`${text}`)).not.toMatch(/[<>"']/);
    }),
  );
});
