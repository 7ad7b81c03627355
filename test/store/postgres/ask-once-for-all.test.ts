import { expect, it } from 'vitest';
import { askOnceForAll } from '../../../src/store/postgres/ask-once-for-all.js';

/** A question that is answered by hand. */
function createQuestion() {
  const asked: { answer(value: string): void; fail(error: Error): void }[] = [];
  const ask = askOnceForAll(
    () => new Promise<string>((answer, fail) => void asked.push({ answer, fail })),
  );
  const nth = async (n: number) => {
    while (asked[n] === undefined) await Promise.resolve();
    return asked[n];
  };
  return { ask, asked, nth };
}

it('asks once for all that ask together', async () => {
  const { ask, asked, nth } = createQuestion();
  const answers = Promise.all([ask(), ask(), ask()]);
  (await nth(0)).answer('yes');
  expect(await answers).toEqual(['yes', 'yes', 'yes']);
  expect(asked).toHaveLength(1);
});

it('gives no answer of a question that began before', async () => {
  const { ask, asked, nth } = createQuestion();
  const first = ask();
  const question = await nth(0);
  const late = Promise.all([ask(), ask()]);
  question.answer('yes');
  expect(await first).toBe('yes');
  (await nth(1)).answer('no');
  expect(await late).toEqual(['no', 'no']);
  expect(asked).toHaveLength(2);
});

it('tells a failure to those who asked, and asks anew for the next', async () => {
  const { ask, nth } = createQuestion();
  const first = ask();
  const question = await nth(0);
  const second = ask();
  question.fail(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  (await nth(1)).answer('yes');
  expect(await second).toBe('yes');
});
