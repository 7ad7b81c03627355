// sluice result TICKET: the platform's present answer about one enrichment. It costs nothing, and settles nothing.
import { takePermit } from '../../../app/platform/ask-platform.js';
import { SluiceError } from '../../../model/errors.js';
import { exactText, type JsonValue } from '../../../model/text/json.js';
import { printable } from '../../../model/text/printable.js';
import type { ReadAnswer } from '../../../ports/platform.js';
import type { Said } from '../../command.js';
import { EXIT } from '../../exit-codes.js';
import { needed } from '../../options.js';
import { platformCommand } from '../../platform-command.js';

export const resultCommand = platformCommand({
  args: {
    ticket: needed(
      'Id of an enrichment (enr_…), as the column enrichment_id and "explain" show it',
    ),
  },
  ask: async ({ platform }, { ticket }) =>
    platform.read(ticket, await takePermit(platform, 'poll')),
  handler: (answer, { ticket }) => toSaid(ticket, answer),
});

function toSaid(ticket: string, answer: ReadAnswer): Said {
  switch (answer.kind) {
    case 'unavailable':
      throw answer.problem;
    case 'unknown':
      throw new SluiceError(
        'platform',
        `The platform does not know the enrichment ${printable(ticket)}. Check its id, the account and the address.`,
      );
    case 'pending':
      return { data: { ticket, state: 'pending' }, lines: 'There is no result yet.' };
    case 'failed':
      process.exitCode = EXIT.unanswered;
      return {
        data: { ticket, state: 'failed', reason: answer.reason },
        lines: `The platform could not answer: ${answer.reason}`,
      };
    case 'done': {
      const { result, odd } = answer;
      if (odd !== undefined) console.error(printable(odd.problem.message));
      const lines = inColumns([...leavesOf(result as unknown as JsonValue, '')]);
      return {
        data: { ticket, state: 'done', result: new Map(Object.entries(result)) },
        lines: lines.length === 0 ? 'Nothing was found.' : lines,
      };
    }
  }
}

/** Names, and values beside them. */
export function inColumns(cells: readonly (readonly [string, JsonValue])[]): string[] {
  const width = Math.max(0, ...cells.map(([name]) => name.length));
  return cells.map(([name, value]) => `${name.padEnd(width)}  ${exactText(value)}`);
}

/** Each value with its dotted path. */
function* leavesOf(value: JsonValue, path: string): Generator<readonly [string, JsonValue]> {
  if (typeof value !== 'object' || value === null) yield [path, value];
  else {
    for (const [key, inner] of Object.entries(value)) {
      yield* leavesOf(inner, path === '' ? key : `${path}.${key}`);
    }
  }
}
