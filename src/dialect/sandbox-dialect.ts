// The dialect of a sandbox: it has the neutral wire, and sells what another dialect does.
import { ASKS } from '../model/ask.js';
import { type Dialect, NEUTRAL_DIALECT } from './dialect.js';
import { offeredAsks } from './forms.js';

/** The neutral dialect with the asks, required inputs and prices of another one; each custom ask has a block. */
export function sandboxDialect(dialect: Dialect): Dialect {
  const { enrich, bulk } = NEUTRAL_DIALECT;
  const offered = offeredAsks(dialect);
  const others = Object.fromEntries(
    ASKS.filter((ask) => !offered.includes(ask)).map((ask) => [ask, null]),
  );
  const asks = Object.entries(dialect.asks).map(([name, ask]) => {
    const fields = Object.entries(ask.fields).map(([field, facts]) => [
      field,
      { ...facts, at: [field] },
    ]);
    return [name, { ...ask, blocks: [name], fields: Object.fromEntries(fields) }];
  });
  const withNames = <S extends { readonly ask: { readonly names: object } }>(section: S): S => ({
    ...section,
    ask: { ...section.ask, names: { ...section.ask.names, ...others } },
  });
  return {
    ...NEUTRAL_DIALECT,
    enrich: enrich && withNames(enrich),
    bulk: withNames(bulk),
    asks: Object.fromEntries(asks) as Dialect['asks'],
    prices: dialect.prices,
    requires: dialect.requires,
  };
}
