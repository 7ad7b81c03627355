import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { renderLogsAndMetricsDoc } from '../../../src/model/telemetry/logs-and-metrics-doc.js';
import { METRICS } from '../../../src/model/telemetry/metric-catalogue.js';
import { RUN_EVENT_LOG } from '../../../src/model/telemetry/run-event-log.js';

describe('renderLogsAndMetricsDoc', () => {
  it('is what docs/logs-and-metrics.md holds', async () => {
    const path = new URL('../../../docs/logs-and-metrics.md', import.meta.url);
    const written = await readFile(path, 'utf8');
    expect(written, 'docs/logs-and-metrics.md is out of date: npm run generate').toBe(
      renderLogsAndMetricsDoc(),
    );
  });

  it('names every event and every metric', () => {
    const document = renderLogsAndMetricsDoc();
    for (const kind of Object.keys(RUN_EVENT_LOG)) expect(document).toContain(`| \`${kind}\` | `);
    for (const { name } of Object.values(METRICS)) expect(document).toContain(`| \`${name}\` | `);
  });
});
