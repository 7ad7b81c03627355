import { SluiceError } from '../../model/errors.js';
import type { ContactList } from '../../model/resources/contact-list.js';
import { expandListName } from '../../model/text/placeholders.js';
import type { Environment } from '../settings/environment.js';
import { askPlatform, type PlatformWish, takePermit } from './ask-platform.js';

/**
 * Creates a list; `template` is its name, which may contain `{date}`. Two calls create two lists.
 * @throws SluiceError `usage` for a name that is not allowed; `platform`, which says if the list may exist nevertheless
 */
export async function createList(
  template: string,
  wish: PlatformWish,
  environment: Environment,
): Promise<ContactList> {
  const date = new Date().toISOString().slice(0, 10);
  const name = expandListName(template, { job: 'sluice', date });
  const answer = await askPlatform(wish, environment, async ({ platform }) =>
    platform.createList(name, await takePermit(platform, 'submit')),
  );
  switch (answer.kind) {
    case 'created':
      return { id: answer.list.id, name };
    case 'uncertain':
      throw new SluiceError(
        'platform',
        `Whether the list "${name}" was created is not known: ${answer.reason}. Look it up on the platform before you create it again.`,
      );
    case 'refused':
      throw new SluiceError(
        'platform',
        `The platform refused the list "${name}": ${answer.reason}.`,
      );
    case 'unsent':
    case 'throttled':
      throw answer.problem;
  }
}
