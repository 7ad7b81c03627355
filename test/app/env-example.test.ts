import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderEnvExample } from '../../src/app/env-example.js';
import { readEnvFile } from '../../src/app/env-file.js';
import { readEnvironment, VARIABLES } from '../../src/app/environment.js';
import { SluiceError } from '../../src/model/errors.js';
import { tempFolder } from '../helpers/temp-folder.js';

it('names every variable that is read, and no other', () => {
  const read = new Set<string>();
  const watch = (set: Readonly<Record<string, string>>) =>
    new Proxy(set, {
      getOwnPropertyDescriptor: (target, name) => {
        read.add(String(name));
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  // Credentials are asked for one after the other: the second only where the first is there.
  for (const set of [{}, { SLUICE_USERNAME: 'ada' }]) {
    const environment = readEnvironment(watch(set));
    expect([environment.url, environment.state]).toEqual([undefined, undefined]);
    expect(() => environment.credentials()).toThrow(SluiceError);
    environment.webhookSecret();
  }
  expect([...read].toSorted()).toEqual(Object.keys(VARIABLES).toSorted());
  const named = [...renderEnvExample().matchAll(/^(?:# )?(SLUICE_\w+)=$/gm)].map(
    ([, name = '']) => name,
  );
  // A file of a secret is named by the environment alone.
  const inFile = Object.keys(VARIABLES).filter((name) => !name.endsWith('_FILE'));
  expect(named.toSorted()).toEqual(inFile.toSorted());
});

it('sets nothing before it is filled in', () => {
  const path = join(tempFolder(), '.env');
  writeFileSync(path, renderEnvExample(), { mode: 0o600 });
  expect(readEnvFile(path, {})).toEqual({
    values: new Map(),
    taken: [],
    others: [],
    left: [],
    refused: [],
    isReadByOthers: false,
  });
});
