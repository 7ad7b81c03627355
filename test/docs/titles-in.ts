// The titles of the tests in a file, read from its source: as they stand there, placeholders of `each` and all.

import { parseAst } from 'vitest/node';
import { z } from 'zod';

const NAMES: ReadonlySet<string> = new Set(['describe', 'it', 'test']);
/** What does not run covers nothing. */
const IDLE: ReadonlySet<string> = new Set(['skip', 'todo']);

const NODE = z.looseObject({ type: z.string() });
type Node = z.infer<typeof NODE>;

/** Of `describe`, `it` and `test`, also where `.each(…)` or another word stands in between; in order. */
export function titlesIn(source: string): readonly string[] {
  const titles: string[] = [];
  visit(parseAst(source, { lang: 'ts' }), (call) => {
    const title = titleOf(call, source);
    if (title !== undefined && isTest(call['callee'])) titles.push(title);
  });
  return titles;
}

function visit(value: unknown, onCall: (call: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && value.type === 'CallExpression') onCall(NODE.parse(value));
  for (const inner of Object.values(value)) visit(inner, onCall);
}

/** From the outside in: `describe.concurrent`, `it.each(…)`, `it`. */
function isTest(callee: unknown): boolean {
  const node = NODE.safeParse(callee).data;
  if (node === undefined) return false;
  switch (node.type) {
    case 'Identifier':
      return NAMES.has(String(node['name']));
    case 'MemberExpression': {
      const word = NODE.safeParse(node['property']).data?.['name'];
      return !IDLE.has(String(word)) && isTest(node['object']);
    }
    case 'CallExpression':
      return isTest(node['callee']);
    default:
      return false;
  }
}

function titleOf(call: Node, source: string): string | undefined {
  const [first] = z.array(z.unknown()).parse(call['arguments']);
  const node = NODE.safeParse(first).data;
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node?.type !== 'TemplateLiteral') return undefined;
  return source.slice(Number(node['start']) + 1, Number(node['end']) - 1);
}
