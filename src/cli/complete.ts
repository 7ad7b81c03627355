// What a shell offers after the words so far: commands, options, and where a job is wanted, the names in jobs/.
import { readdirSync } from 'node:fs';

const WANTS_JOB: ReadonlySet<unknown> = new Set(['run', 'plan', 'doctor', 'pause', 'resume']);
/** A shell puts an offer into the command line as it is: what would be more than a word there is left out. */
const JOB_FILE = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]*)\.ya?ml$/iu;

type Take = (error: Error | null, offers: string[] | undefined) => void;

/**
 * Called by yargs; `usual` computes what yargs itself would offer. Without an offer the shell falls back to
 * files, which is what most arguments are: so options are offered only to whoever has begun one.
 */
export function complete(
  current: string,
  words: unknown,
  usual: (take: Take) => void,
  done: (offers: string[]) => void,
): void {
  usual((_, offers = []) => {
    const isOption = current.startsWith('-');
    // An alias of one letter is written with one dash.
    const fitting = offers.filter((offer) =>
      isOption ? !/^--\w(?!\w|-)/.test(offer) : !offer.startsWith('-'),
    );
    done(isOption || !wantsJob(words) ? fitting : [...fitting, ...jobNames()]);
  });
}

/** Its first argument and no other. The words begin with the program's name. */
function wantsJob(words: unknown): boolean {
  const { _: plain = [] } = words as { readonly _?: readonly unknown[] };
  return WANTS_JOB.has(plain[1]) && plain.length <= 3;
}

function jobNames(): string[] {
  try {
    return readdirSync('jobs').flatMap((file) => JOB_FILE.exec(file)?.[1] ?? []);
  } catch {
    return [];
  }
}
