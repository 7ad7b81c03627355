// Contact lists as the store remembers them.
import { describe, expect, it } from 'vitest';
import type {
  ListRecord,
  StoredList,
  StoredListState,
} from '../../src/ports/store/contact-lists.js';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0 } from './store-bench.js';

const CREATED: ListRecord = { kind: 'created', listId: 'clt_1' };
const STATED: ListRecord = { kind: 'created', listId: 'clt_9', isStated: true };
const UNSENT: ListRecord = { kind: 'unsent' };
const UNCERTAIN: ListRecord = { kind: 'uncertain', reason: 'no answer' };
const RETRY_TIMES = { at: T0, deadlineAt: T0 + 1 };

export function describeContactLists(bench: StoreBench): void {
  const { inState, finish, store, run } = bench;

  const find = async (): Promise<StoredList> => {
    const list = await store.findList(run.id);
    if (list === null) throw new Error('there is no list');
    return list;
  };

  /** The run's list, brought into this state. */
  const listIn = async (state: StoredListState): Promise<StoredList> => {
    const { id } = await store.wantList(run.id, 'Warm');
    if (state !== 'wanted') await store.beginList(id);
    if (state === 'created') await store.recordList(id, CREATED);
    if (state === 'uncertain') await store.recordList(id, UNCERTAIN);
    return find();
  };

  describe('the contact list of a run', () => {
    it('is none until it is wanted, and then one whose name stays', async () => {
      expect(await store.findList(run.id)).toBeNull();
      const list = await store.wantList(run.id, 'Warm');
      expect(list).toEqual({
        id: list.id,
        runId: run.id,
        name: 'Warm',
        state: 'wanted',
        listId: null,
        reason: null,
        position: 0,
        added: 0,
        alreadyIn: 0,
      });
      expect(await store.wantList(run.id, 'Cold')).toEqual(list);
    });

    it('is not the list of another run, whatever it is called', async () => {
      const { id } = await store.wantList(run.id, 'Warm');
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      expect((await store.wantList(other.id, 'Warm')).id).not.toBe(id);
      await store.beginList(id);
      expect(await store.findList(other.id)).toMatchObject({ state: 'wanted' });
    });

    it.each<[StoredListState, boolean]>([
      ['wanted', true],
      ['creating', false],
      ['created', false],
      ['uncertain', false],
    ])('that is %s: its creation may begin is %s', async (state, may) => {
      const list = await listIn(state);
      expect(await store.beginList(list.id)).toBe(may);
      expect(await find()).toEqual({ ...list, state: may ? 'creating' : state });
    });

    it('is begun by one process, never by two', async () => {
      const { id } = await listIn('wanted');
      const other = await bench.openAgain();
      const begun = await Promise.all([store.beginList(id), other.beginList(id)]);
      expect(begun.filter(Boolean)).toHaveLength(1);
      await other.close();
    });

    it('that is being created is so for whoever comes after a crash', async () => {
      const list = await listIn('creating');
      const next = await bench.openAgain();
      expect(await next.findList(run.id)).toEqual(list);
      await next.close();
    });

    it.each<[ListRecord, Partial<StoredList>]>([
      [CREATED, { state: 'created', listId: 'clt_1' }],
      [UNSENT, { state: 'wanted' }],
      [UNCERTAIN, { state: 'uncertain', reason: 'no answer' }],
    ])('becomes what the platform made of it: %j', async (record, changes) => {
      const list = await listIn('creating');
      await store.recordList(list.id, record);
      expect(await find()).toEqual({ ...list, ...changes });
    });

    it.each<StoredListState>(['wanted', 'created', 'uncertain'])(
      'that is %s stays so when an answer comes late',
      async (state) => {
        const list = await listIn(state);
        for (const record of [{ ...CREATED, listId: 'clt_2' }, UNSENT, UNCERTAIN]) {
          await store.recordList(list.id, record);
        }
        expect(await find()).toEqual(list);
      },
    );

    it.each<StoredListState>(['wanted', 'creating', 'created', 'uncertain'])(
      'that is %s is the one that the user names, while no person is in it',
      async (state) => {
        const list = await listIn(state);
        expect(await store.recordList(list.id, STATED)).toBe(true);
        expect(await find()).toEqual({ ...list, state: 'created', listId: 'clt_9', reason: null });
      },
    );

    it('keeps its id once leads were put into it', async () => {
      const list = await listIn('created');
      await store.advanceList(list.id, { position: 1, added: 1, alreadyIn: 0 });
      expect(await store.recordList(list.id, STATED)).toBe(false);
      expect((await find()).listId).toBe('clt_1');
    });

    it('counts who went in over every step', async () => {
      const list = await listIn('created');
      await store.advanceList(list.id, { position: 200, added: 150, alreadyIn: 3 });
      await store.advanceList(list.id, { position: 310, added: 0, alreadyIn: 2 });
      expect(await find()).toEqual({ ...list, position: 310, added: 150, alreadyIn: 5 });
    });

    it('is gone through once more after a retry, for other answers choose other leads', async () => {
      await inState('failed');
      await finish();
      const list = await listIn('created');
      await store.advanceList(list.id, { position: 1, added: 0, alreadyIn: 1 });
      await store.retry(run.id, ['failed'], RETRY_TIMES);
      expect(await find()).toEqual(list);
    });

    it('is gone through once more where uncertain leads are sent again, and only then', async () => {
      const list = await listIn('created');
      const looked = { position: 1, added: 0, alreadyIn: 1 };
      await store.advanceList(list.id, looked);
      await store.retry(run.id, ['uncertain'], RETRY_TIMES);
      expect(await find()).toEqual({ ...list, ...looked });
      await inState('uncertain');
      await store.retry(run.id, ['uncertain'], RETRY_TIMES);
      expect(await find()).toEqual(list);
    });
  });
}
