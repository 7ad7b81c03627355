import { describe, expect, it } from 'vitest';
import { describeJob, type StatedJob } from '../../../src/app/settings/describe-job.js';
import { jobSchema } from '../../../src/config/job-schema.js';

const JOB = { input: 'a.csv', ask: ['find_email'], url: 'sandbox' } as const;

describe('a job that a program states', () => {
  it('may have each key in camelCase', () => {
    const stated: StatedJob = { ...JOB, freshFor: '1d', firstBatch: 7, metricsFile: 'a.prom' };
    const file = { ...JOB, 'fresh-for': '1d', 'first-batch': 7, 'metrics-file': 'a.prom' };
    expect(describeJob('x', stated)).toEqual(describeJob('x', file));
    expect(describeJob('x', stated)).toMatchObject({ freshForMs: 86_400_000, firstBatch: 7 });
  });

  it.each(Object.keys(jobSchema.shape).filter((key) => key.includes('-')))(
    'knows %s in camelCase as the same key',
    (key) => {
      const camel = key.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      const wrong = { ...JOB, [camel]: {} } as StatedJob;
      expect(() => describeJob('x', wrong)).toThrow(new RegExp(`Job x: "${key}`));
    },
  );

  it('must not have a key in both ways', () => {
    expect(() => describeJob('x', { ...JOB, 'fresh-for': '1d', freshFor: '1d' })).toThrow(
      'Job x: "fresh-for" is also stated as "freshFor". Leave one of them out.',
    );
  });

  it('has no other spelling, and a wrong key is told as it was written', () => {
    expect(() => describeJob('x', { ...JOB, bUdget: 3 } as StatedJob)).toThrow('"bUdget"');
  });

  it('has no state that would end with the process', () => {
    expect(() => describeJob('x', { ...JOB, state: ':memory:' })).toThrow(
      'the next run would pay for everything again',
    );
  });

  it('reads what runJob is given where it names no input', () => {
    const { input: _, ...rest } = JOB;
    expect(describeJob('x', rest).input).toEqual(['-']);
  });
});
