// Writes a value as the YAML that a person would: a list of plain values stands on one line.
import { Document, isScalar, visit } from 'yaml';

export function writeYaml(value: object): string {
  // Two keys that share one list in memory must not become an anchor and an alias.
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, list) => {
      list.flow = list.items.every(isScalar);
    },
  });
  return document.toString({ flowCollectionPadding: false });
}
