// A dialect, and what its check came to, for people and for scripts.
import { checkDialect, type DialectWish } from '../../../app/platform/ask-platform.js';
import { loadDialect } from '../../../config/load-dialect.js';
import { writeYaml } from '../../../config/write-job.js';
import { changedFile, NEUTRAL_DIALECT, wholeFile } from '../../../dialect/dialect.js';
import { type CallCheck, commonCause } from '../../../model/platform/check.js';
import { printable } from '../../../model/text/printable.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { formatTable } from '../format.js';

interface ShowWish {
  readonly dialect: string | undefined;
  readonly changed: boolean;
  readonly json: boolean;
}

/** What is printed is a dialect file itself, JSON being YAML. */
export async function showDialect(wish: ShowWish): Promise<void> {
  const dialect = await loadDialect(wish.dialect);
  const file = wish.changed ? changedFile(dialect, NEUTRAL_DIALECT) : wholeFile(dialect);
  if (wish.json) console.log(JSON.stringify(file));
  else process.stdout.write(writeYaml(file));
}

/** Exit code 1 where a call did not answer as the dialect says. */
export async function printDialectCheck(
  wish: DialectWish & { readonly json: boolean },
): Promise<void> {
  const { json, file } = wish;
  const checks = await checkDialect(wish, commandEnvironment());
  const isRight = checks?.every(({ verdict }) => verdict !== 'wrong') ?? true;
  const cause = checks === null ? undefined : commonCause(checks);
  if (json) {
    console.log(JSON.stringify({ file, is_right: isRight, cause: cause ?? null, calls: checks }));
  } else if (checks === null) {
    console.log(
      `${printable(file)} is a dialect. Nothing was sent; --url tries it at the platform.`,
    );
  } else {
    for (const line of formatTable(['part', 'call', 'verdict', 'answer'], checks.map(rowOf)))
      console.log(line);
    if (cause !== undefined) console.log(cause);
  }
  if (!isRight) process.exitCode = EXIT.unanswered;
}

function rowOf({ key, call, verdict, says, keys }: CallCheck): string[] {
  const advice = keys.length === 0 ? '' : `. Look at ${keys.join(' and ')}`;
  return [key, call, verdict.replace('_', ' '), `${says}${advice}.`];
}
