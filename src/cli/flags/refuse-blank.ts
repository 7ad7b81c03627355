// A shell variable that is not set leaves an empty word on the command line. Where an id or a limit belongs, it
// would ask for something else than was meant.
import { SluiceError } from '../../model/errors.js';

/**
 * `words` are what was given, by what they are called; one that was left out is undefined.
 * @throws SluiceError `usage` naming the first that is blank
 */
export function refuseBlank(words: Readonly<Record<string, string | undefined>>): void {
  for (const [name, word] of Object.entries(words)) {
    if (word === undefined || word.trim() !== '') continue;
    throw new SluiceError('usage', `${name} is empty. Write what belongs there.`, { name });
  }
}
