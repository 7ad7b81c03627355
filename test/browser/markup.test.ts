// What `html` writes, as a browser reads it.
import { expect, it } from 'vitest';
import { html } from '../../src/html/markup.js';
import { browserOfFile, isBrowserMissing } from '../helpers/browser.js';
import { HOSTILE_MARKUP } from '../helpers/hostile-markup.js';

const browser = browserOfFile();

it.skipIf(isBrowserMissing)('text that would be markup stays text wherever it stands', async () => {
  const { page } = await browser.open();
  for (const text of HOSTILE_MARKUP) {
    const markup = html`<!doctype html>
      <title>${text}</title>
      <p title="${text}">${text}</p>
      <textarea>${text}</textarea>
      <svg><title>${text}</title><text>${text}</text></svg>
      <input value="${text}">`;
    await page.setContent(String(markup));
    const read = await page.evaluate<readonly string[]>(`[
      document.title,
      ...['p', 'textarea', 'svg title', 'svg text'].map((name) => document.querySelector(name).textContent),
      document.querySelector('p').title,
      document.querySelector('input').value,
    ]`);
    expect(read).toEqual(read.map(() => text));
    expect(await page.evaluate(`document.querySelectorAll('*').length`)).toBe(10);
    expect(await page.evaluate('typeof isOwned')).toBe('undefined');
  }
});
