import { expect, it } from 'vitest';
import { planList } from '../../../src/app/plan/plan-run.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { resolveJobSettings } from '../../../src/app/settings/job-settings.js';

const LATE = Date.UTC(2026, 10, 21, 23, 59);

function planned(list: { name: string; where?: string } | undefined) {
  const job = { input: 'a.csv', ask: ['find_email' as const], url: 'sandbox', positions: 'long' };
  const settings = resolveJobSettings('nightly', { ...job, list }, readEnvironment({}));
  return planList(settings, LATE);
}

it('a job without a list plans none', () => {
  expect(planned(undefined)).toBeNull();
});

it('a list is named by its job and the day in UTC, and chooses in the shape of the table', () => {
  expect(planned({ name: '{job} of {date}', where: 'credits > 0' })).toEqual({
    name: 'nightly of 2026-11-21',
    where: 'credits > 0',
    shape: { kind: 'long' },
  });
});

it('a name that the platform would not take is refused once its placeholders are in', () => {
  expect(() => planned({ name: `{job}${'x'.repeat(194)}` })).toThrow(/is 201 characters long/);
  expect(planned({ name: `{job}${'x'.repeat(193)}` })?.name).toHaveLength(200);
});
