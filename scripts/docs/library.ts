// docs/reference/library.md: what the package exports, by the declarations that the build has written.
import { existsSync, readFileSync } from 'node:fs';

interface Exported {
  readonly name: string;
  readonly kind: string;
  /** As TypeScript declares it. */
  readonly text: string;
  readonly about: string;
}

/** The page, whole. `dist` is the folder of the build, with a slash at its end. */
export function renderLibraryDoc(dist: URL): string {
  const index = readFileSync(new URL('index.d.ts', dist), 'utf8');
  const all = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/(.*)\.js';$/gm)]
    .flatMap(([, names = '', path = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '')
        .map((name) => declarationOf(name, new URL(`${path}.d.ts`, dist))),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const section = (kinds: readonly string[]): string =>
    all
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ name, text, about }) => {
        const prose = about === '' ? '' : `\n${about}\n`;
        return `### ${name}\n${prose}\n\`\`\`ts\n${text}\n\`\`\`\n`;
      })
      .join('\n');
  return `# Library: every export

Made from the declarations of the build by \`npm run generate\`. How they are used together is in [library](../library.md).

## Functions and classes

${section(['function', 'class'])}
## Values

${section(['const'])}
## Types

${section(['interface', 'type'])}`;
}

/** `openSqliteStore as openStore` is declared under its first name, and told under its second. */
function declarationOf(exported: string, file: URL): Exported {
  const [own = '', name = own] = exported.split(' as ');
  const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const found = new RegExp(
    String.raw`^export (?:declare )?(?:abstract )?(function|class|const|interface|type) ${own}\b`,
    'm',
  ).exec(source);
  const kind = found?.[1];
  const handedOn = new RegExp(String.raw`\b${own}\b[^}]*\} from '(.*)\.js';`).exec(source)?.[1];
  if (found === null && handedOn !== undefined) {
    return declarationOf(exported, new URL(`${handedOn}.d.ts`, file));
  }
  if (found === null || kind === undefined) throw new Error(`${file.pathname} declares no ${own}`);
  const declared = source.slice(found.index, endOf(source, found.index, kind));
  const text = declared.replace(/^export (?:declare )?/, '').replace(own, name);
  return { name, kind, text, about: commentBefore(source, found.index) };
}

/** The first end of a statement, or of a body, outside all brackets. */
function endOf(source: string, from: number, kind: string): number {
  const hasBody = kind === 'class' || kind === 'interface';
  let depth = 0;
  let at = from;
  for (; at < source.length; at += 1) {
    if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 1;
    else if ('([{'.includes(source.charAt(at))) depth += 1;
    else if (')]}'.includes(source.charAt(at))) {
      depth -= 1;
      if (hasBody && depth === 0 && source.charAt(at) === '}') return at + 1;
    } else if (depth === 0 && source.charAt(at) === ';') return at + 1;
  }
  return at;
}

/** The text of the comment that ends there, on one line for each paragraph; what it throws begins a new one. */
function commentBefore(source: string, at: number): string {
  const before = source.slice(0, at);
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(before) ?? [];
  const plain = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim();
  return plain
    .replace(/\n(?=@)/g, '\n\n')
    .replace(/(?<!\n)\n(?!\n|- )/g, ' ')
    .replaceAll('@throws ', 'Throws ')
    .replaceAll('@returns ', 'Returns ')
    .replace(/\{@link (\w+)\}/g, '`$1`');
}
