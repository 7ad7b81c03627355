// A table as CSV, and as a workbook whose texts stand in the cells or in the part that cells share. Written here, since a
// library that writes such files would need longer than what is measured.
import { once } from 'node:events';
import { createWriteStream, openSync, writeSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

const TEXTS = 20;
const COLUMNS = 30;

/** One row: twenty texts, most of them different in each row, eight numbers, a date and a yes or no. */
function* rowsOf(count) {
  for (let n = 0; n < count; n += 1) {
    const texts = Array.from({ length: TEXTS }, (_, column) =>
      column % 4 === 3 ? `Group ${(n * column) % 50}` : `Text ${n} of column ${column} é&co`,
    );
    const numbers = Array.from({ length: 8 }, (_, column) => `${(n * 7919 + column) % 1_000_003}`);
    yield { texts, numbers, day: 40_000 + (n % 6_000), isTrue: n % 2 === 0 };
  }
}

export async function writeCsv(path, count) {
  const stream = createWriteStream(path);
  stream.write(`${header().join(',')}\n`);
  for (const { texts, numbers, day, isTrue } of rowsOf(count)) {
    const date = new Date(Date.UTC(1899, 11, 30 + day)).toISOString().slice(0, 10);
    const line = `${[...texts, ...numbers, date, isTrue].join(',')}\n`;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
}

function header() {
  return Array.from({ length: COLUMNS }, (_, column) => `Column ${column}`);
}

export async function writeWorkbook(path, count, { isShared }) {
  const zip = new ZipWriter(path);
  const type = (name) =>
    `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}`;
  const relations = (...list) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
      .map(
        ([name, target], n) => `<Relationship Id="r${n}" Type="${type(name)}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`;
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  await zip.add('_rels/.rels', [relations(['officeDocument', 'xl/workbook.xml'])]);
  await zip.add('xl/workbook.xml', [
    `<workbook ${main} xmlns:r="${type('')}"><sheets><sheet name="Leads" sheetId="1" r:id="r0"/></sheets></workbook>`,
  ]);
  await zip.add('xl/_rels/workbook.xml.rels', [
    relations(
      ['worksheet', 'sheet.xml'],
      ['styles', 'styles.xml'],
      ...(isShared ? [['sharedStrings', 'strings.xml']] : []),
    ),
  ]);
  await zip.add('xl/styles.xml', [
    `<styleSheet ${main}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
  ]);
  const shared = new Map();
  const text = (value) => {
    if (!isShared) return `t="inlineStr"><is><t>${value.replaceAll('&', '&amp;')}</t></is>`;
    const index = shared.get(value) ?? shared.size;
    shared.set(value, index);
    return `t="s"><v>${index}</v>`;
  };
  await zip.add('xl/sheet.xml', sheetXml(main, count, text));
  if (isShared) await zip.add('xl/strings.xml', stringsXml(main, shared.keys()));
  zip.end();
}

function* sheetXml(main, count, text) {
  yield `<worksheet ${main}><sheetData>`;
  let row = 0;
  const written = (cells) => {
    row += 1;
    const all = cells.map((cell, n) => `<c r="${columnName(n)}${row}" ${cell}</c>`);
    return `<row r="${row}">${all.join('')}</row>`;
  };
  yield written(header().map(text));
  for (const { texts, numbers, day, isTrue } of rowsOf(count)) {
    yield written([
      ...texts.map(text),
      ...numbers.map((number) => `><v>${number}</v>`),
      `s="1"><v>${day}</v>`,
      `t="b"><v>${Number(isTrue)}</v>`,
    ]);
  }
  yield '</sheetData></worksheet>';
}

function* stringsXml(main, texts) {
  yield `<sst ${main}>`;
  for (const text of texts) yield `<si><t>${text.replaceAll('&', '&amp;')}</t></si>`;
  yield '</sst>';
}

function columnName(column) {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${String.fromCharCode(64 + Math.floor(column / 26))}${last}`;
}

class ZipWriter {
  #fd;
  #at = 0;
  #directory = [];

  constructor(path) {
    this.#fd = openSync(path, 'w');
  }

  async add(name, texts) {
    const at = this.#at;
    const facts = Buffer.alloc(26);
    this.#at += 30 + name.length;
    let [sum, size, packedSize] = [0, 0, 0];
    const packer = createDeflateRaw({ level: 1 });
    packer.on('data', (chunk) => {
      writeSync(this.#fd, chunk, 0, chunk.length, this.#at);
      this.#at += chunk.length;
      packedSize += chunk.length;
    });
    for (const text of texts) {
      const bytes = Buffer.from(text);
      sum = crc32(bytes, sum);
      size += bytes.length;
      if (!packer.write(bytes)) await once(packer, 'drain');
    }
    packer.end();
    await finished(packer);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(sum, 10);
    facts.writeUInt32LE(packedSize, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name)]);
    writeSync(this.#fd, local, 0, local.length, at);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    this.#directory.push(Buffer.from('PK\x01\x02\x14\x00'), facts, rest, Buffer.from(name));
  }

  end() {
    const directory = Buffer.concat(this.#directory);
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 'latin1');
    end.writeUInt16LE(this.#directory.length / 4, 8);
    end.writeUInt16LE(this.#directory.length / 4, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#at, 16);
    writeSync(this.#fd, Buffer.concat([directory, end]), 0, directory.length + 22, this.#at);
  }
}
