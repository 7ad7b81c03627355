// Reads the request for a new hook (docs/platform-api.md, POST /hooks), and says in one sentence what is wrong.
import { z } from 'zod';
import { judgeEventType } from '../../../model/events/event-catalogue.js';
import type { NewHook } from '../../webhooks/hook-register.js';
import { isHttpUrl } from './judge-inputs.js';
import { type RawQuery, readQuery } from './parse-enrich-query.js';

const TEXT = z.string().max(1000);
const BODY = z.strictObject({
  targetUrl: TEXT.refine(isHttpUrl, 'not an http(s) URL'),
  type: z.string().exactOptional(),
  secret: TEXT.min(1).exactOptional(),
});
const KNOWN: ReadonlySet<string> = new Set(['campaignId', 'isFirst', 'zapId']);

/** The hook, or the sentence. */
export function parseHook(query: RawQuery, body: unknown): NewHook | string {
  const parameters = readQuery(query, KNOWN);
  if (typeof parameters === 'string') return parameters;
  const { campaignId, isFirst, zapId } = parameters;
  if (isFirst !== undefined && isFirst !== 'true' && isFirst !== 'false') {
    return 'The value of isFirst must be true or false.';
  }
  const parsed = BODY.safeParse(body);
  if (!parsed.success) return describeIssue(parsed.error);
  const { type } = parsed.data;
  if (type !== undefined) {
    const verdict = judgeEventType(type);
    if (verdict.kind !== 'known') return verdict.problem;
  }
  return {
    ...parsed.data,
    ...(campaignId && { campaignId }),
    ...(isFirst && { isFirst: isFirst === 'true' }),
    ...(zapId && { zapId }),
  };
}

function describeIssue({ issues: [issue] }: z.ZodError): string {
  const [key] = issue?.path ?? [];
  if (key === undefined) {
    return `The body must be an object of targetUrl, type and secret: ${issue?.message ?? ''}.`;
  }
  return `The value of ${String(key)} cannot be used: ${issue?.message ?? ''}.`;
}
