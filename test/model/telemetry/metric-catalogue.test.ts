import { describe, expect, it } from 'vitest';
import { METRICS, type MetricSpec } from '../../../src/model/telemetry/metric-catalogue.js';

describe.each(Object.values(METRICS) as MetricSpec[])('$name', ({ name, type, labels, help }) => {
  it('is named as Prometheus wants it', () => {
    expect(name).toMatch(/^sluice_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    // Base units: seconds and nothing else.
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|percent)/);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(help).toMatch(/^[A-Z].*\.$/);
  });

  it('has labels of few values, and none that an id could be in', () => {
    for (const [label, values] of Object.entries(labels)) {
      expect(label).not.toMatch(/^(job|instance|le|quantile|.*id|run|ticket)$/);
      expect(values.split(', ').length).toBeLessThan(30);
    }
  });
});
