// A dialect in which the answer to a submission is the result: no ticket, no webhook, nothing to read later.

export const AT_ONCE = {
  enrich: { ticket: [], result: 'always', webhookUrl: null },
  bulk: { result: 'always', webhookUrl: null, answer: { ticket: [] } },
  result: null,
  hooks: null,
} as const;
