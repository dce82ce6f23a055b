import fc from "fast-check";

/** Parts of names with unusual sort order or lower case. */
export const ODD = fc.constantFrom(
  ..."aAbBkK\u212aiI\u0130ßẞΣσς_ \0\u0001\u0002\u007fé\ud7ff\ue000\uffff😀𐐀𐐨",
  ...["i\u0307", "ss", "\ud800", "\udfff"],
);
const oddName = fc.array(ODD, { maxLength: 4 }).map(parts => parts.join(""));
const figures = fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 1, 2, 900_000)));
const stay = fc.record({ from: fc.nat(9), heard: fc.nat(9) });
const servers = fc.dictionary(
  fc.constantFrom("", "lobby"),
  fc.record({ last: figures, base: figures, stay }, { requiredKeys: ["last"] }),
);
export const oddRecord = fc
  .record({
    name: oddName,
    first: fc.nat(3),
    last: fc.nat(9),
    visits: fc.nat(2),
    hidden: fc.boolean(),
    servers,
  })
  .map(({ hidden, ...record }) => ({ ...record, ...(hidden && { hidden }) }));
