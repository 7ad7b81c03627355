import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from '../../../src/model/events/event-catalogue.js';
import { renderEventsDoc } from '../../../src/model/events/events-doc.js';

describe('renderEventsDoc', () => {
  it('is what docs/events.md holds', async () => {
    const written = await readFile(new URL('../../../docs/events.md', import.meta.url), 'utf8');
    expect(written, 'docs/events.md is out of date: npm run generate').toBe(renderEventsDoc());
  });

  it('names every event', () => {
    const document = renderEventsDoc();
    for (const { type } of EVENT_CATALOGUE) expect(document).toContain(`| \`${type}\` | `);
  });
});
