import type { Writable } from 'node:stream';
import { CLAIM_COLUMNS } from '../../model/audit/claim-table.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { Store } from '../../ports/store/store.js';
import type { OutputRow, TableWriter } from '../../ports/table-writer.js';
import { noting } from '../results/write-tables.js';

export interface ClaimWish {
  /** The path; `-` for standard output. Default: no table is written. */
  readonly claims?: string | undefined;
  readonly standardOutput?: Writable | undefined;
}

export interface ClaimWriter {
  write(rows: readonly OutputRow[]): Promise<void>;
  /** Null if no table was wanted. */
  commit(): Promise<{ readonly out: string; readonly rows: number } | null>;
  discard(): Promise<void>;
}

export async function openClaims(
  store: Store,
  { claims, standardOutput }: ClaimWish,
): Promise<ClaimWriter> {
  let count = 0;
  const writer: TableWriter | null =
    claims === undefined
      ? null
      : await openTableWriter(claims, CLAIM_COLUMNS, {
          bom: false,
          excel: false,
          formulaGuard: true,
          standardOutput,
          onReady: noting(store, null, 'claims'),
        });
  return {
    write: async (rows) => {
      count += rows.length;
      if (rows.length > 0) await writer?.write(rows);
    },
    commit: async () => {
      await writer?.commit();
      return claims === undefined ? null : { out: claims, rows: count };
    },
    discard: async () => writer?.discard(),
  };
}
