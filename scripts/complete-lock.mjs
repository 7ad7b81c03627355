// Adds to package-lock.json the optional packages for other systems that npm left out because its
// registry did not have them: npm 11 leaves them out of the lock file, and `npm ci` then refuses it.
// What is added is what their parents state: the exact version, and the system that the name tells. Without a hash,
// which SECURITY.md says.
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'win32',
  'netbsd',
  'sunos',
  'aix',
];
const PROCESSORS = {
  arm64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  arm: 'arm',
};

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
let added = 0;
for (const [parentPath, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] !== undefined || lock.packages[`${parentPath}/${place}`] !== undefined)
      continue;
    const words = name.split(/[/-]/);
    const os = SYSTEMS.find((system) => words.includes(system));
    const cpu = PROCESSORS[words.find((word) => PROCESSORS[word] !== undefined)];
    if (os === undefined || cpu === undefined || !/^\d+\.\d+\.\d+/.test(version)) {
      console.error(
        `Not added: ${name}@${version}, whose name tells no system or whose version is a range.`,
      );
      continue;
    }
    const isMusl = words.some((word) => word.startsWith('musl'));
    const isGlibc = words.some((word) => word.startsWith('gnu') && os === 'linux');
    lock.packages[place] = {
      version,
      cpu: [cpu],
      ...(parent.dev === true ? { dev: true } : {}),
      ...(isMusl ? { libc: ['musl'] } : isGlibc ? { libc: ['glibc'] } : {}),
      optional: true,
      os: [os],
    };
    added += 1;
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages added to package-lock.json.`);
