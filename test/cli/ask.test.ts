import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openQuestions, Stopped } from '../../src/cli/ask.js';
import { SluiceError } from '../../src/model/errors.js';

function openTerminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const questions = openQuestions(input, output);
  const said = async () => {
    questions.close();
    output.end();
    return textOf(output);
  };
  return { input, questions, said };
}

const asIs = (answer: string) => answer;

it('takes an answer without the blanks around it', async () => {
  const { input, questions } = openTerminal();
  const answer = questions.ask('Who? ', asIs);
  input.write('  Ada \r');
  expect(await answer).toBe('Ada');
  questions.close();
});

it('says what is wrong with an answer, and asks again', async () => {
  const { input, questions, said } = openTerminal();
  const answer = questions.ask('How many? ', (text) => {
    if (/^\d+$/.test(text)) return Number(text);
    // The next answer comes once this one is refused.
    setImmediate(() => input.write('7\r'));
    throw new SluiceError('usage', 'That is no number.');
  });
  input.write('seven\r');
  expect(await answer).toBe(7);
  expect((await said()).match(/That is no number\./g)).toHaveLength(1);
});

it('passes on what is no fault of the answer', async () => {
  const { input, questions } = openTerminal();
  const answer = questions.ask('Who? ', () => Promise.reject(new TypeError('a bug')));
  input.write('Ada\r');
  await expect(answer).rejects.toThrow(TypeError);
  questions.close();
});

it.each([
  ['Ctrl+C', (input: PassThrough) => input.write('\u0003')],
  ['Ctrl+D', (input: PassThrough) => input.write('\u0004')],
  ['the end of the terminal', (input: PassThrough) => input.end()],
])('ends with %s, and so does every question after it', async (_, end) => {
  const { input, questions } = openTerminal();
  const answer = questions.ask('Who? ', asIs);
  end(input);
  await expect(answer).rejects.toThrow(Stopped);
  await expect(questions.ask('Who else? ', asIs)).rejects.toThrow(Stopped);
});
