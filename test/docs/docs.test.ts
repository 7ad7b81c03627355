// The documents written by hand against the product: links that lead nowhere, commands that do not
// exist, and keys that no page explains.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { slugOf } from '../../scripts/docs/markdown.js';
import { EXIT } from '../../src/cli/exit-codes.js';
import { jobSchema } from '../../src/config/job-schema.js';
import { dialectSchema } from '../../src/dialect/dialect.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DOCUMENTS = [
  ...readdirSync(ROOT),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) =>
    join('docs', path),
  ),
  'llms.txt',
  'skills/sluice/SKILL.md',
].filter((path) => /\.(md|txt)$/.test(path));

describe.each(DOCUMENTS)('%s', (path) => {
  it('links to files that are there', () => {
    const targets = linksIn(read(path)).filter((target) => !/^(https?:|#)/.test(target));
    const missing = targets.filter(
      (target) => !existsSync(join(ROOT, dirname(path), target.replace(/#.*/, ''))),
    );
    expect(missing).toEqual([]);
  });

  it('links to headings that are there', () => {
    const missing = linksIn(read(path)).filter((target) => {
      const [file = '', heading] = target.split('#');
      const isHere = heading !== undefined && !/^https?:/.test(target) && /^$|\.md$/.test(file);
      const page = file === '' ? path : join(dirname(path), file);
      return isHere && existsSync(join(ROOT, page)) && !headingsIn(read(page)).has(heading);
    });
    expect(missing).toEqual([]);
  });

  it('shows only commands and flags that there are', () => {
    const wrong: string[] = [];
    for (const { command, flags, text } of commandsIn(read(path))) {
      const known = helpOf(command);
      const unknown = flags.filter((flag) => !known.flags.has(flag.replace(/^no-/, '')));
      if (!known.isThere || unknown.length > 0) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });

  it('shows only jobs and dialects that are accepted', () => {
    const refused = yamlIn(read(path)).filter((block) => {
      const value: unknown = parse(block);
      return (
        !jobSchema.partial().safeParse(value).success && !dialectSchema.safeParse(value).success
      );
    });
    expect(refused).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('leads to every document', () => {
    const targets = linksIn(read('docs/README.md')).map((target) => target.replace(/#.*/, ''));
    const all = DOCUMENTS.filter((path) => /^docs.(?!decisions|README)/.test(path));
    expect(all.filter((path) => !targets.includes(path.slice('docs/'.length)))).toEqual([]);
  });
});

it('every promise of docs/guarantees.md has a row in ARCHITECTURE.md, with tests', () => {
  const promises = [...read('docs/guarantees.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^a-z ]/g, '')
      .replaceAll(' ', '-'),
  );
  const rows = read('ARCHITECTURE.md')
    .split('\n')
    .filter((line) => /^\|.*`test\/[^`]+`.* \|$/.test(line));
  expect(promises.length).toBeGreaterThan(5);
  const bare = promises.filter(
    (promise) => !rows.some((row) => row.includes(`(docs/guarantees.md#${promise})`)),
  );
  expect(bare).toEqual([]);
});

it('ARCHITECTURE.md names only tests that are there', () => {
  const named = [...read('ARCHITECTURE.md').matchAll(/`(test\/[^`]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => globSync(path, { cwd: ROOT }).length === 0)).toEqual([]);
});

describe.each(['docs/library.md', 'docs/platform.md'])('%s', (path) => {
  it('imports only what the package exports', async () => {
    const exported = Object.keys(await import('../../src/index.js'));
    const imports = [...read(path).matchAll(/import \{([^}]*)\} from 'sluice'/g)];
    const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
    expect(names.length).toBeGreaterThan(0);
    const values = names.filter((name) => !name.startsWith('type '));
    expect(values.filter((name) => !exported.includes(name))).toEqual([]);
  });
});

it('docs/library.md tells of every function that the package exports', async () => {
  const text = read('docs/library.md');
  const api: Readonly<Record<string, unknown>> = await import('../../src/index.js');
  const functions = Object.keys(api).filter((name) => typeof api[name] === 'function');
  expect(functions.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

describe('docs/troubleshooting.md', () => {
  const text = read('docs/troubleshooting.md');

  it('quotes sentences as Sluice says them', () => {
    const [, section = ''] = text.split('## By what it says');
    const [table = ''] = section.split('\n## ');
    const quotes = table.split('\n').flatMap((row) => {
      const [, says = ''] = row.split('|');
      return [...says.matchAll(/`([^`]+)`/g)].flatMap(([, quote = '']) => quote.split('…'));
    });
    expect(quotes.length).toBeGreaterThan(15);
    const source = sourceText();
    expect(quotes.filter((quote) => !source.includes(quote.trim()))).toEqual([]);
  });

  it('has every exit code but that of success', () => {
    const codes = [...text.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell = '']) =>
      cell.split(', ').map(Number),
    );
    const missing = Object.values(EXIT).filter((code) => code !== EXIT.ok && !codes.includes(code));
    expect(missing).toEqual([]);
  });
});

/** Everything that Sluice may say stands in it. */
function sourceText(): string {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(join('src', path)))
    .join('\n');
}

describe('docs/dialects.md', () => {
  it('shows beside each exchange what its example says', () => {
    const example: unknown = parse(read('samples/dialect/my-platform.yaml'));
    const rows = read('docs/dialects.md').split('|---|---|\n')[1]?.split('\n\n')[0] ?? '';
    const said = rows
      .split('\n')
      .flatMap((row) => [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)`/g)])
      .map(([, code = '']): unknown => parse(code));
    expect(said).toHaveLength(9);
    for (const part of said) expect(example).toMatchObject(part as object);
  });
});

describe('the pictures', () => {
  const shown = DOCUMENTS.flatMap((path) =>
    picturesIn(read(path)).map((one) => ({ path, ...one })),
  );

  it('are there, and are told in words to who does not see them', () => {
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.filter(({ words }) => words.length < 20)).toEqual([]);
    expect(
      shown.filter(({ path, target }) => !existsSync(join(ROOT, dirname(path), target))),
    ).toEqual([]);
  });

  it('are small, and each is shown somewhere', () => {
    const there = readdirSync(join(ROOT, 'docs/img')).map((name) => join('docs/img', name));
    const named = new Set(shown.map(({ path, target }) => join(dirname(path), target)));
    expect(there.filter((path) => !named.has(path))).toEqual([]);
    expect(there.filter((path) => statSync(join(ROOT, path)).size > 160_000)).toEqual([]);
  });
});

interface Picture {
  readonly words: string;
  readonly target: string;
}

/** `![words](target)`, and `<img>` with the sources that stand for it in another theme. */
function picturesIn(markdown: string): Picture[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const marked = [...prose.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)];
  const elements = [...prose.matchAll(/<picture>[\s\S]*?<\/picture>/g)].flatMap(([element]) => {
    const words = /<img[^>]*\salt="([^"]*)"/.exec(element)?.[1] ?? '';
    const targets = [...element.matchAll(/\s(?:src|srcset)="([^"]*)"/g)];
    return targets.map(([, target = '']) => ({ words, target }));
  });
  return [...marked.map(([, words = '', target = '']) => ({ words, target })), ...elements];
}

/** The anchors of a page, as GitHub makes them. */
function headingsIn(markdown: string): ReadonlySet<string> {
  const headings = markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.*)$/gm);
  return new Set([...headings].map(([, text = '']) => slugOf(text)));
}

function linksIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** Commands of commands. */
const FAMILIES: ReadonlySet<string> = new Set([
  'caps',
  'dialect',
  'lists',
  'hooks',
  'known',
  'sandbox',
  'state',
  'suppress',
]);

interface ShownCommand {
  /** Empty for `sluice --help`. */
  readonly command: string;
  readonly flags: readonly string[];
  readonly text: string;
}

/** `sluice …` in code, be it a line of a block or a span, which may go over a line's end. */
function commandsIn(markdown: string): ShownCommand[] {
  const blocks = [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```/gm)];
  const lines = blocks.flatMap(([, block = '']) => block.split('\n'));
  const spans = [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(
    ([, span = '']) => span.replace(/\s+/g, ' '),
  );
  return [...lines, ...spans].flatMap((code) => {
    const match = /(?:^|^\$ |&& )sluice (.*)$/.exec(code);
    if (match === null) return [];
    const [first = '', ...rest] = (match[1] ?? '').split(' ');
    const words = [first, ...rest];
    const isFamily = FAMILIES.has(first) && /^[a-z]/.test(rest[0] ?? '');
    const command = isFamily ? `${first} ${rest[0]}` : first;
    return {
      command: first.startsWith('-') ? '' : command,
      flags: words
        .filter((word) => word.startsWith('--'))
        .map((word) => word.slice(2).replace(/=.*/, '')),
      text: code,
    };
  });
}

interface Help {
  readonly isThere: boolean;
  readonly flags: ReadonlySet<string>;
}

/** The help of each command as the reference has it, which another test holds against the commands themselves. */
const HELPS: ReadonlyMap<string, string> = new Map(
  [
    ...read('docs/reference/commands.md').matchAll(/^## sluice (.*)\n\n```text\n([\s\S]*?)^```/gm),
  ].map(([, command = '', help = '']) => [command, help]),
);

function helpOf(command: string): Help {
  // The general help is not in the reference: it lists the commands.
  const text = command === '' ? '  --help\n  --version' : (HELPS.get(command) ?? '');
  const flags = [...text.matchAll(/^\s+(?:-\w, )?--([a-z-]+)/gm)].map(([, flag = '']) => flag);
  return { isThere: text !== '', flags: new Set(flags) };
}

function yamlIn(markdown: string): string[] {
  return [...markdown.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
}
