import { describe, expect, it } from 'vitest';
import { type SandboxArguments, sandboxOptionsOf } from '../../src/cli/sandbox-flags.js';

const ARGUMENTS: SandboxArguments = {
  port: 0,
  host: '127.0.0.1',
  username: 'u',
  password: 'p',
  seed: 1,
  sigma: 0.6,
  latency: '10s',
  rate: '20/2s',
  ledger: undefined,
  credits: undefined,
  fault: undefined,
  'fault-seed': 1,
  slow: '2s',
  'webhook-batch': 1,
  'webhook-retry': '1s',
};

describe('the flags of sluice sandbox', () => {
  it('become options', () => {
    const options = sandboxOptionsOf({
      ...ARGUMENTS,
      credits: 5,
      fault: ['drop-after=0.05', 'slow=1', 'html=.5'],
      'fault-seed': 7,
      slow: '3s',
      'webhook-batch': 50,
      'webhook-retry': '200ms',
      ledger: 'l.ndjson',
    });
    expect(options).toMatchObject({
      latency: { medianMs: 10_000, sigma: 0.6 },
      rate: { requests: 20, perMs: 2000 },
      ledgerFile: 'l.ndjson',
      credits: 5,
      faults: { 'drop-after': 0.05, slow: 1, html: 0.5 },
      faultSeed: 7,
      slowMs: 3000,
      webhookBatch: { max: 50, withinMs: 100 },
      webhookRetryMs: 200,
    });
  });

  it.each([
    [{ rate: 'fast' }, '--rate: a rate is written like 20/2s, or off.'],
    [{ latency: '10' }, '--latency: a duration is written like 10s or 500ms.'],
    [{ slow: 'x' }, '--slow: a duration'],
    [{ 'webhook-retry': '-1s' }, '--webhook-retry: a duration'],
    [{ fault: ['drop-after'] }, '--fault: "drop-after" is not written like drop-after=0.05'],
    [{ fault: ['drop-after=5%'] }, 'is not written like'],
    [{ fault: ['drop-after=1.1'] }, 'is not written like'],
    [{ fault: ['drop=0.1'] }, '--fault: there is no fault "drop"; there are drop-before,'],
    [{ fault: ['slow=0.1', 'slow=0.2'] }, '--fault: slow is given twice; give it once.'],
  ])('end with a sentence for %j', (wrong, sentence) => {
    expect(() => sandboxOptionsOf({ ...ARGUMENTS, ...wrong })).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(sentence) }),
    );
  });
});
