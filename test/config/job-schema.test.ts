import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { jobJsonSchema, jobSchema } from '../../src/config/job-schema.js';
import { loadJob } from '../../src/config/load-job.js';

const jobs = fileURLToPath(new URL('../../jobs/', import.meta.url));

describe('the JSON Schema of a job', () => {
  it('is what jobs/job.schema.json holds', () => {
    const written: unknown = JSON.parse(readFileSync(`${jobs}job.schema.json`, 'utf8'));
    const current: unknown = JSON.parse(JSON.stringify(jobJsonSchema()));
    expect(written, 'jobs/job.schema.json is out of date: npm run generate').toEqual(current);
  });

  it('explains every key, asks for input alone, and allows no other', () => {
    const schema = jobJsonSchema() as {
      required: string[];
      additionalProperties: boolean;
      properties: Record<string, { description?: string }>;
    };
    expect(schema).toMatchObject({ required: ['input'], additionalProperties: false });
    expect(Object.keys(schema.properties)).toEqual(Object.keys(jobSchema.shape));
    for (const [key, { description }] of Object.entries(schema.properties)) {
      expect(description, key).toMatch(/\S/);
    }
  });
});

describe('every job of the repository', () => {
  const files = readdirSync(jobs).filter((name) => /\.ya?ml$/.test(name));

  it('is found', () => {
    expect(files).toContain('legislators.yaml');
  });

  it.each(files)(
    '%s loads, names the schema for editors, and says what to ask and to write',
    async (name) => {
      const job = await loadJob(jobs + name, () => 'https://platform.example');
      expect(job).toMatchObject({ ask: expect.any(Array), out: expect.any(String) });
      expect(readFileSync(jobs + name, 'utf8')).toContain('$schema=./job.schema.json');
    },
  );
});
