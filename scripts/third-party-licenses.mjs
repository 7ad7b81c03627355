// Prints THIRD-PARTY-LICENSES: whose code is in the bundle, and its licences. What is in there the bundler tells, not
// the list of dependencies. npm run generate writes the file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import config from '../rolldown.config.mjs';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;
/** The texts of packages that come without a licence file, from their repositories. */
const ELSEWHERE = {
  saxes: `Copyright (c) Contributors; of sax, from which it was forked: Copyright (c) Isaac Z. Schlueter and Contributors\n\n${ISC}`,
};
/** What packages contain of others and say nothing of in their licence files. */
const CONTAINED = {
  tldts:
    'It contains the Public Suffix List, which is under the Mozilla Public License 2.0\n(https://mozilla.org/MPL/2.0/). Its source: https://publicsuffix.org/list/public_suffix_list.dat',
  undici: `It contains llhttp (https://github.com/nodejs/llhttp), which is under the MIT licence:\n\nCopyright Fedor Indutny, 2018.\n\n${MIT}`,
};

const packages = [...(await bundledFolders())]
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
process.stdout.write(`The licences of what is bundled

The files in dist/bundle/ contain code of the packages below, in these versions.
Other packages that Sluice needs are installed beside it, with their own licences.

${packages.map((one) => `- ${titleOf(one)}: ${one.license}\n`).join('')}
${packages.map((one) => `${'='.repeat(80)}\n${titleOf(one)}\n\n${licenceOf(one)}\n`).join('\n')}`);

function titleOf({ name, version }) {
  return `${name} ${version}`;
}

async function bundledFolders() {
  const { output: options, ...input } = config;
  const bundle = await rolldown(input);
  const { output } = await bundle.generate(options);
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return new Set(
    modules.flatMap(
      (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/')) ?? [],
    ),
  );
}

function licenceOf({ folder, name, license, author }) {
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  if (texts.length === 0 && ELSEWHERE[name] !== undefined) texts.push(ELSEWHERE[name]);
  if (texts.length === 0 && license !== 'MIT')
    throw new Error(
      `${name} has no licence file, and its licence is ${license}: add its text here.`,
    );
  if (texts.length === 0)
    texts.push(
      `It has no licence file. Its package.json says: MIT, by ${author?.name ?? author}.\n\n${MIT}`,
    );
  return [...texts, CONTAINED[name] ?? []].flat().join('\n\n');
}
