// The name of a table, where the job leaves a part of it to the run: `out/{input}-{date}.csv`.
import { SluiceError } from '../errors.js';

const PLACEHOLDER = /\{([^{}]*)\}/g;
const KNOWN = ['date', 'input', 'run'] as const;
type Known = (typeof KNOWN)[number];

/** What stands for a placeholder; asked for only where it is in the name. */
export type OutputNameValues = Readonly<Record<Known, () => string>>;

/** Whether the name has this placeholder in it; without one, any. */
export function hasPlaceholder(template: string, name?: Known): boolean {
  if (name !== undefined) return template.includes(`{${name}}`);
  return template.search(PLACEHOLDER) !== -1;
}

/** @throws SluiceError `usage` for a placeholder that stands for nothing */
export function expandOutputName(template: string, values: OutputNameValues): string {
  return template.replaceAll(PLACEHOLDER, (placeholder, key: string) => {
    const known = KNOWN.find((name) => name === key);
    if (known !== undefined) return values[known]();
    throw new SluiceError(
      'usage',
      `In the name of the table, ${placeholder} stands for nothing; {date}, {input} and {run} do.`,
      { out: template },
    );
  });
}

/** Endings that say how a file is written, the outermost first. */
const PACKED = /(?<=.)\.gz$/i;
const ENDING = /(?<=.)\.[^.\s]+$/;
/** Separators, what a shell, Windows or the name of a table takes for something else, and what nobody sees. */
const UNSAFE = /[/\\<>:"|?*{}\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Windows opens a device under these names, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|\.)/i;

/**
 * What `{input}` stands for: the base name of a file, without `.gz` and then its last ending. What could lead
 * out of the folder, or is no name on some system, becomes `_`; `base` holds no more than the last part of a path.
 */
export function inputName(base: string): string {
  const bare = base.replace(PACKED, '').replace(ENDING, '');
  const safe = bare.replace(UNSAFE, '_').replace(/^\.+|[. ]+$/g, (dots) => '_'.repeat(dots.length));
  return safe.replace(DEVICE, '_$&') || '_';
}
