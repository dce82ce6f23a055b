import fc from "fast-check";

/** Parts of names that stand elsewhere in another order, or whose lower case is odd. */
export const ODD = fc.constantFrom(
  ...[
    "a",
    "A",
    "b",
    "B",
    "k",
    "K",
    "\u212a",
    "i",
    "I",
    "\u0130",
    "i\u0307",
    "ß",
    "ẞ",
    "ss",
    "Σ",
    "σ",
    "ς",
    "_",
    " ",
  ],
  ...[
    "\u0000",
    "\u0001",
    "\u0002",
    "\u007f",
    "é",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\ud800",
    "\udfff",
    "😀",
    "𐐀",
    "𐐨",
  ],
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
