// A command that asks the platform: `--url` and the like, `--json` and `--ndjson` are added to its options.
import { type AskedPlatform, askPlatform } from '../app/platform/ask-platform.js';
import {
  command,
  type Form,
  type MaybeSaid,
  type None,
  type Parsed,
  type Taken,
} from './command.js';
import { commandEnvironment } from './command-environment.js';
import {
  JSON_OPTION,
  LIST_OPTIONS,
  PLATFORM_OPTIONS,
  type PlatformArguments,
  TELLS_WAITS,
} from './options.js';

interface PlatformDefinition<P extends Taken, O extends Taken, R> extends Form<P, O> {
  /** It prints a list, and takes `--ndjson`. */
  readonly lists?: true;
  /** Asks it; the platform and the state are closed after that. */
  readonly ask: (asked: AskedPlatform, args: Parsed<P, O> & PlatformArguments) => Promise<R>;
  readonly handler: (answer: R, args: Parsed<P, O>) => MaybeSaid;
}

export function platformCommand<P extends Taken = None, O extends Taken = None, R = undefined>({
  ask,
  handler,
  lists,
  options,
  ...form
}: PlatformDefinition<P, O, R>) {
  return command({
    ...form,
    options: {
      ...options,
      ...PLATFORM_OPTIONS,
      ...(lists === true ? LIST_OPTIONS : JSON_OPTION),
    },
    handler: async (args) => {
      const given = args as Parsed<P, O> & PlatformArguments;
      return handler(
        await askPlatform({ ...given, ...TELLS_WAITS }, commandEnvironment(), (asked) =>
          ask(asked, given),
        ),
        given,
      );
    },
  });
}
