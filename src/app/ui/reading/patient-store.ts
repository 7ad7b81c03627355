// A store whose leads are read without keeping others waiting.
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../../ports/store/store.js';

/**
 * A store in a file answers without waiting: here requests come between two portions of the leads. `onRead` is called
 * with the number in each, and ends the reading if it throws.
 */
export function patientStore(
  store: Store,
  onRead: (leads: number) => void = () => undefined,
): Store {
  return {
    ...store,
    answers: async (...args) => {
      await setImmediate();
      const answers = await store.answers(...args);
      onRead(answers.length);
      return answers;
    },
  };
}
