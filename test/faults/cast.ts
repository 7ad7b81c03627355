// The people of each life, and the table that an undisturbed run writes about them. No person appears in two
// lives of a mode, so these can share one sandbox; the undisturbed run asks another one with the same seed.
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir } from '../helpers/workdir.js';
import { IS_WHOLE, sized } from './sweep.js';

/** Leads of one life: six people, one of them twice, and one that cannot be asked for. */
export const LEADS = 8;
export const PEOPLE = 6;
export const ASK = '--ask find_email,social_enrichment';

const CHUNK = sized(8, 40);

/** The lines of the input of a life. */
export function linesOf(life: number): string[] {
  const person = (k: number) => `P${life}x${k},Byron,p${life}x${k}.com`;
  const again = `p${life}X0,BYRON,https://www.p${life}x0.com/about`;
  return [person(0), person(1), person(2), again, person(3), `P${life}x9,,`, person(4), person(5)];
}

/** `P12x3` → 12: whose life this is. */
export function lifeOf(firstName: string | undefined): number {
  return Number(/^p(\d+)x/i.exec(firstName ?? '')?.[1] ?? -1);
}

export interface Cast {
  /** The cells of the undisturbed table for this life, its header first. */
  expected(life: number): Promise<string[][]>;
}

/** Answers from undisturbed runs over the people of `CHUNK` lives each. */
export async function openCast(): Promise<Cast> {
  const sandbox = await startSandboxProcess();
  const chunks = new Map<number, Promise<string[][]>>();
  const play = async (chunk: number): Promise<string[][]> => {
    const dir = openWorkdir(sandbox.url);
    const lives = Array.from({ length: CHUNK }, (_, i) => chunk * CHUNK + i);
    dir.write('leads.csv', csv(lives.flatMap(linesOf)));
    const ended = await dir.sluice(
      `enrich leads.csv --out out.csv ${ASK} --set rate=off --quiet`,
      IS_WHOLE ? { isService: true } : {},
    );
    const cells = dir.cells('out.csv');
    if (![0, 1].includes(ended.code ?? -1) || cells.length !== CHUNK * LEADS + 1) {
      throw new Error(`The undisturbed run failed: ${ended.stderr}`);
    }
    return cells;
  };
  return {
    expected: async (life) => {
      const chunk = Math.floor(life / CHUNK);
      let playing = chunks.get(chunk);
      if (playing === undefined) {
        playing = play(chunk);
        chunks.set(chunk, playing);
      }
      const [header = [], ...rows] = await playing;
      const from = (life % CHUNK) * LEADS;
      return [header, ...rows.slice(from, from + LEADS)];
    },
  };
}
