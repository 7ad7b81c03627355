// The links of a sheet's cells, which stand behind its rows: their targets are in a part of their own.
import { posix } from 'node:path';
import { readRelationships } from './open-workbook.js';
import type { Zip } from './open-zip.js';
import { attributeOf, readXml } from './read-xml.js';
import { columnOf, type SheetRow } from './sheet-rows.js';

/** The targets by row and column, as `3 0`. */
export type Links = ReadonlyMap<string, string>;

/** As many as Excel keeps in a sheet. */
const LINKS_MAX = 65_530;
const WEB = /^(?:https?:\/\/|mailto:)/i;

/** The first cell of each link to the web or to an address; a sheet without any is not read for them. */
export async function readLinks(zip: Zip, part: string): Promise<Links> {
  const links = new Map<string, string>();
  const folder = posix.dirname(part);
  const rels = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!zip.has(rels)) return links;
  const targets = new Map(
    (await readRelationships(zip, rels, folder))
      .filter(
        ({ isExternal, target, type }) => isExternal && type === 'hyperlink' && WEB.test(target),
      )
      .map(({ id, target }) => [id, target]),
  );
  if (targets.size === 0) return links;
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    const [first = ''] = (attributeOf(attributes, 'ref') ?? '').split(':');
    const target = targets.get(attributeOf(attributes, 'id') ?? '');
    if (name !== 'hyperlink' || target === undefined || links.size >= LINKS_MAX) return;
    links.set(`${first.replace(/\D/g, '')} ${columnOf(first)}`, target);
  };
  await readXml(zip.bytes(part), { path: zip.path, part }, { open });
  return links;
}

/** Adds to each cell the link that its sheet has for it. */
export function linkedBy(links: Links): (row: SheetRow) => SheetRow {
  return (row) => ({
    ...row,
    cells: row.cells.map((cell) => {
      const link = cell.link ?? links.get(`${row.number} ${cell.column}`);
      return link === undefined ? cell : { ...cell, link };
    }),
  });
}
