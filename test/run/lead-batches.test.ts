import { describe, expect, it, vi } from 'vitest';
import type { RecordBatch } from '../../src/ports/lead-reader.js';
import type { IngestBatch } from '../../src/ports/store/enrichments.js';
import { type LeadBatchOptions, leadBatches } from '../../src/run/lead-batches.js';
import { PEOPLE_COLUMNS, people, readerOf } from '../helpers/people.js';
import { TERMS } from '../helpers/test-run.js';

const OPTIONS: LeadBatchOptions = {
  terms: TERMS,
  afterPosition: 0,
  limit: undefined,
  onMapped: () => undefined,
  onDetected: () => undefined,
};

async function collect(batches: RecordBatch[], changes: Partial<LeadBatchOptions> = {}) {
  const all: IngestBatch[] = [];
  for await (const batch of leadBatches(readerOf(...batches), { ...OPTIONS, ...changes })) {
    all.push(batch);
  }
  return all;
}

describe('leadBatches', () => {
  it('closes the reader when the limit is reached', async () => {
    let isClosed = false;
    const reader = {
      ...readerOf(),
      async *batches() {
        try {
          yield people(['a', 'b']);
        } finally {
          isClosed = true;
        }
      },
    };
    for await (const _ of leadBatches(reader, { ...OPTIONS, limit: 1 }));
    expect(isClosed).toBe(true);
  });

  it('tells the mapping once, and again only when a later column adds to it', async () => {
    const onMapped = vi.fn();
    const grown = [...PEOPLE_COLUMNS, { key: 'city', name: 'city' }];
    const more = [...grown, { key: 'linkedin', name: 'linkedin' }];
    await collect(
      [
        people(['a']),
        { columns: grown, records: [], rejects: [] },
        { columns: more, records: [], rejects: [] },
      ],
      { onMapped },
    );
    const told = onMapped.mock.calls.map(([mapping]) =>
      (mapping as { input: string }[]).map(({ input }) => input),
    );
    expect(told).toEqual([
      ['firstName', 'lastName', 'companyDomain'],
      ['socialUrl', 'firstName', 'lastName', 'companyDomain'],
    ]);
  });
});
