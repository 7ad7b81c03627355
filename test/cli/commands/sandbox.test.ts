import { describe, expect, it } from 'vitest';
import {
  emissionOf,
  type SandboxArguments,
  sandboxOptionsOf,
} from '../../../src/cli/commands/sandbox.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';

const ARGUMENTS: SandboxArguments = {
  port: 0,
  host: '127.0.0.1',
  username: 'u',
  password: 'p',
  'webhook-secret': undefined,
  seed: 1,
  moved: 0,
  knows: '100%',
  sigma: 0.6,
  latency: '10s',
  rate: '20/2s',
  dialect: undefined,
  'at-once': false,
  ledger: undefined,
  invoice: undefined,
  overcharge: '0%',
  force: false,
  credits: undefined,
  fault: undefined,
  'fault-seed': 1,
  slow: '2s',
  'webhook-batch': 1,
  'webhook-retry': '1s',
};

describe('the flags of sluice sandbox', () => {
  it('become options', () => {
    const options = sandboxOptionsOf(
      {
        ...ARGUMENTS,
        credits: 5,
        fault: ['drop-after=0.05', 'slow=1', 'html=.5'],
        'fault-seed': 7,
        slow: '3s',
        'webhook-batch': 50,
        'webhook-retry': '200ms',
        ledger: 'l.ndjson',
      },
      NEUTRAL_DIALECT,
    );
    expect(options).toMatchObject({
      latency: { medianMs: 10_000, sigma: 0.6 },
      rate: '20/2s',
      ledgerFile: 'l.ndjson',
      credits: 5,
      faults: { 'drop-after': 0.05, slow: 1, html: 0.5 },
      faultSeed: 7,
      slowMs: 3000,
      webhookBatch: { max: 50, withinMs: 100 },
      webhookRetryMs: 200,
    });
  });

  it('leave the rate to the platform where they name none', () => {
    const bare = sandboxOptionsOf({ ...ARGUMENTS, rate: undefined }, NEUTRAL_DIALECT);
    expect(bare).not.toHaveProperty('rate');
    expect(bare.dialect).toBe(NEUTRAL_DIALECT);
  });

  it.each([
    [{ rate: 'fast' }, '--rate: '],
    [{ latency: '10' }, '--latency: '],
    [{ slow: 'x' }, '--slow: '],
    [{ 'webhook-retry': '-1s' }, '--webhook-retry: '],
    [{ fault: ['drop-after'] }, '--fault: "drop-after" is not written like drop-after=0.05'],
    [{ fault: ['drop-after=5%'] }, 'is not written like'],
    [{ fault: ['drop-after=1.1'] }, 'is not written like'],
    [
      { fault: ['drop=0.1'] },
      'is not written like drop-after=0.05, from 0 to 1; there are drop-before,',
    ],
  ])('end with a sentence for %j', (wrong, sentence) => {
    expect(() => sandboxOptionsOf({ ...ARGUMENTS, ...wrong }, NEUTRAL_DIALECT)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(sentence) }),
    );
  });
});

describe('the flags of sluice sandbox emit', () => {
  it('become fields: JSON where they are JSON, texts otherwise', () => {
    const field = [
      'sequenceStep=2',
      'isThirdPartyReply=true',
      'campaignId=null',
      'cc=[{"address":"a@b.example"}]',
      'leadId="7"',
      'leadLastName=García = Núñez',
      'note=',
      'spaced= x ',
    ];
    expect(emissionOf({ event: 'emailsReplied', field })).toEqual({
      type: 'emailsReplied',
      fields: {
        sequenceStep: 2,
        isThirdPartyReply: true,
        campaignId: null,
        cc: [{ address: 'a@b.example' }],
        leadId: '7',
        leadLastName: 'García = Núñez',
        note: '',
        spaced: ' x ',
      },
    });
    const bare = emissionOf({ event: 'paused', field: undefined });
    expect(bare).toEqual({ type: 'paused', fields: {} });
  });

  it.each([
    ['emailSent', [], 'There is no event "emailSent"; did you mean emailsSent?'],
    ['skipped', [], 'The event skipped was removed from the platform: nothing replaces it.'],
    ['emailsSendFailed', [], 'was removed from the platform: use emailsFailed.'],
    ['paused', ['leadId'], '--field: "leadId" is not written like leadId=lea_7.'],
    ['paused', ['=x'], '--field: "=x" is not written like'],
  ])('end with a sentence for %s and %j', (event, field, sentence) => {
    expect(() => emissionOf({ event, field })).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(sentence) }),
    );
  });
});
