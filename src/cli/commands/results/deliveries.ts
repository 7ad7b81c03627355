// sluice status --deliveries: the journal of deliveries, newest first.
import type { Store } from '../../../ports/store/store.js';
import { tellDeliveries } from '../../../tell/tell-lists.js';
import { type Said, sayPage } from '../../command.js';

export async function lookAtDeliveries(store: Store, last: number): Promise<Said> {
  return sayPage(
    tellDeliveries({
      entries: await store.listDeliveries(last),
      refused: await store.refusedDeliveries(),
      unkept: await store.countUnkept(),
    }),
  );
}
