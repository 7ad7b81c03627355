// What is published: all that a user needs, nothing else, and no script that runs where it is installed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installing, OPTIONAL_PACKAGES } from '../src/model/optional-packages.js';
import { isLong } from './helpers/long.js';
import { tempFolder } from './helpers/temp-folder.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

const PACKAGE = z
  .looseObject({
    scripts: z.record(z.string(), z.string()),
    allowScripts: z.record(z.string(), z.boolean()),
    bin: z.record(z.string(), z.string()),
    publishConfig: z.unknown(),
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
    peerDependencies: z.record(z.string(), z.string()),
  })
  .parse(read('package.json'));
const LOCKED = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({
        version: z.string().optional(),
        optional: z.boolean().optional(),
        integrity: z.string().optional(),
        hasInstallScript: z.boolean().optional(),
        name: z.string().optional(),
        dev: z.boolean().optional(),
      }),
    ),
  })
  .parse(read('package-lock.json')).packages;

const FILES = packedFiles();

it('names the versions of its optional packages alike wherever it says how to install them', () => {
  expect(PACKAGE.peerDependencies).toEqual(OPTIONAL_PACKAGES);
  const guide = readFileSync(join(ROOT, 'docs/several-machines.md'), 'utf8');
  const said = guide.match(/^npm i .*(?:pg|bullmq).*$/gm);
  expect(said).toEqual([installing('pg'), installing('pg', 'bullmq')]);
});

describe('the package', () => {
  const files = FILES;

  it('has no character beyond Latin-1 in its bundle, which would double the memory of a file', () => {
    const bundled = files.filter((path) => /^dist\/bundle\/.*\.js$/.test(path));
    const wide = bundled.filter((path) =>
      /[^\0-\xff]/.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(bundled.length).toBeGreaterThan(20);
    expect(wide).toEqual([]);
  });

  it('holds what a user needs', () => {
    const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
    expect(files).toEqual(
      expect.arrayContaining([
        ...Object.values(PACKAGE.bin),
        'dist/index.js',
        'dist/index.d.ts',
        'dialects/dialect.schema.json',
        'jobs/job.schema.json',
        'jobs/nightly.yaml',
        'THIRD-PARTY-LICENSES',
        'llms.txt',
        'skills/sluice/SKILL.md',
        ...'README LICENSE CHANGELOG SECURITY CONTRIBUTING ARCHITECTURE'
          .split(' ')
          .map((name) => (name === 'LICENSE' ? name : `${name}.md`)),
        ...documents,
      ]),
    );
  });

  it('holds nothing else', () => {
    const documents =
      /^(docs\/.+\.(md|png)|examples\/.+\.mjs|samples\/.+|dialects\/(dialect\.schema\.json|[a-z-]+\.yaml)|jobs\/(job\.schema\.json|(by-webhook|into-list|nightly|once)\.yaml)|[A-Z]+\.md|LICENSE|llms\.txt|skills\/sluice\/SKILL\.md|THIRD-PARTY-LICENSES|package\.json)$/;
    const built = /^dist\/[a-z/-]+\d*[a-z-]*(\.d\.ts|\.js)$/;
    expect(files.filter((path) => !documents.test(path) && !built.test(path))).toEqual([]);
  });

  it('holds of each source what was built of it, and nothing that has no source', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => path.slice(0, -'.ts'.length));
    const built = files.filter((path) => /^dist\/(?!bundle\/)/.test(path));
    expect(built).toEqual(
      sources.flatMap((path) => [`dist/${path}.d.ts`, `dist/${path}.js`]).toSorted(),
    );
  });

  it.each(files.filter((path) => path.endsWith('.md')))(
    'leads, in its %s, to nothing that is not in it',
    (path) => {
      const prose = readFileSync(join(ROOT, path), 'utf8').replace(
        /^```[\s\S]*?^```|`[^`\n]*`/gm,
        '',
      );
      const links = [...prose.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => target);
      const missing = links.filter((target) => {
        const place = join(dirname(path), target);
        const isThere = files.some((file) => file === place || file.startsWith(`${place}/`));
        return !/^https?:/.test(target) && !isThere;
      });
      expect(missing).toEqual([]);
    },
  );

  it('says in its README how a checkout shows it, then how it is used, on a screen and a half', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(readme.split('\n').length).toBeLessThanOrEqual(91);
    expect(readme.indexOf('npm ci')).toBeLessThan(readme.indexOf('npm i -g'));
    expect(readme.indexOf('npm i -g')).toBeLessThan(readme.indexOf('sluice plan'));
  });
});

describe('a strict TypeScript program', () => {
  const uses = `import { openStore, type RunReport, runJob, type Store } from 'sluice';
    export const run: (...job: Parameters<typeof runJob>) => Promise<readonly RunReport[]> = runJob;
    export const open: (state: string) => Promise<Store> = openStore;`;

  it.runIf(isLong)(
    'compiles against the package without the optional packages, libraries checked',
    () => {
      expect(compile(uses, [])).toBe('');
    },
  );

  it.runIf(isLong)('compiles beside the optional packages as well', () => {
    const both = `${uses}
      import { Pool } from 'pg';
      export const pool: Pool = new Pool();`;
    expect(compile(both, ['pg', '@types/pg', 'bullmq'])).toBe('');
  });
});

describe('the licences of what is bundled', () => {
  const text = readFileSync(join(ROOT, 'THIRD-PARTY-LICENSES'), 'utf8');
  const listed = [...text.matchAll(/^- (\S+) (\S+): \S+$/gm)].map(
    ([, name = '', version = '']) => ({ name, version }),
  );

  it.runIf(isLong)(
    'are those of what the bundler puts into it, as npm run generate wrote them',
    () => {
      const script = ['scripts/third-party-licenses.mjs'];
      const made = spawnSync(process.execPath, script, { cwd: ROOT, encoding: 'utf8' });
      expect(made).toMatchObject({ status: 0, stderr: '', stdout: text });
    },
  );

  it('are of the versions in the lock file, and of every dependency but those that stay outside', () => {
    const strangers = listed.filter(
      ({ name, version }) =>
        !Object.entries(LOCKED).some(
          ([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version,
        ),
    );
    expect(strangers).toEqual([]);
    const outside = Object.keys(PACKAGE.dependencies).filter(
      (name) => !listed.some((one) => one.name === name),
    );
    expect(outside).toEqual(['better-sqlite3', 'email-providers', 'pino']);
  });

  it.each(listed)(
    'say of $name $version who wrote it, and what is allowed',
    ({ name, version }) => {
      const [, after = ''] = text.split(`${'='.repeat(80)}\n${name} ${version}\n`);
      const licence = after.split('='.repeat(80))[0] ?? '';
      expect(licence).toMatch(/copyright|\bby \w/i);
      expect(licence).toMatch(
        /permission is hereby granted|permission to use|redistribution and use|apache license/i,
      );
    },
  );
});

describe('the supply chain', () => {
  it('runs nothing of ours where the package is installed', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];
    expect(hooks.filter((name) => name in PACKAGE.scripts)).toEqual([]);
  });

  it('runs scripts of no dependency but those that are named', () => {
    const running = Object.entries(LOCKED).filter(([, one]) => one.hasInstallScript === true);
    // An alias names its package.
    const names = running.map(([path, { name }]) => name ?? path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => !(name in PACKAGE.allowScripts))).toEqual([]);
  });

  it('is pinned: exact versions, and the hash of everything that runs', () => {
    const versions = { ...PACKAGE.dependencies, ...PACKAGE.devDependencies };
    expect(
      Object.entries(versions).filter(([, one]) => !/^\d+\.\d+\.\d+(-beta\.\d+)?$/.test(one)),
    ).toEqual([]);
    const bare = Object.entries(LOCKED).filter(
      ([path, { integrity, dev }]) =>
        path !== '' && dev !== true && !(integrity ?? '').startsWith('sha512-'),
    );
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  it('has no hash of those tools for other systems that SECURITY.md names, and of nothing else', () => {
    const bare = Object.entries(LOCKED).filter(
      ([path, { integrity }]) => path !== '' && integrity === undefined,
    );
    expect(bare.filter(([, one]) => one.dev !== true || one.optional !== true)).toEqual([]);
    const security = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').replace(/\s+/g, ' ');
    const kinds = [...security.matchAll(/`([@\w/-]+)\*` \((\d+)\)/g)];
    const told = kinds.map(([, kind = '', many]) => {
      expect(bare.filter(([path]) => path.startsWith(`node_modules/${kind}`))).toHaveLength(
        Number(many),
      );
      return Number(many);
    });
    expect(told.reduce((sum, many) => sum + many, 0)).toBe(bare.length);
    expect(security).toContain(`no hash of ${bare.length} packages`);
  });

  it('is published with provenance only', () => {
    expect(PACKAGE.publishConfig).toEqual({ access: 'public', provenance: true });
  });
});

/** Without scripts, which would build anew under the feet of other tests. */
function packedFiles(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'];
  const { stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  const told = z
    .array(z.object({ files: z.array(z.object({ path: z.string() })) }))
    .safeParse(JSON.parse(stdout.slice(Math.max(0, stdout.indexOf('[')))));
  if (!told.success) throw new Error(`npm pack said nothing of use: ${stdout}\n${stderr}`);
  return told.data.flatMap(({ files }) => files.map(({ path }) => path)).toSorted();
}

/**
 * What the compiler says of a program in a folder of its own, whose node_modules hold the packed declarations, what Sluice
 * depends on, and these packages more.
 */
function compile(program: string, more: readonly string[]): string {
  const folder = tempFolder();
  const modules = join(folder, 'node_modules');
  for (const path of FILES.filter((one) => /^package\.json$|\.d\.ts$/.test(one))) {
    cpSync(join(ROOT, path), join(modules, 'sluice', path));
  }
  for (const name of [...Object.keys(PACKAGE.dependencies), '@types/node', ...more]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' }).stdout;
}
