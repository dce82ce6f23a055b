import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { type Fault, isFault } from "./fault.ts";
import { readPackList, removePack, setPack } from "./pack-list.ts";

const OURS = { id: "0612fdb1-6896-42b9-b127-8e35632f6398", version: [0, 1, 0] };
const ENTRY = `{"pack_id":"${OURS.id}","version":[0,1,0]}`;

function textOf(result: { text: string } | Fault): string {
  if (isFault(result)) throw new Error(result.fault);
  return result.text;
}

describe("a list of packs", () => {
  it.each([undefined, "", "  \r\n", "\uFEFF"])("that is %j becomes a list of one", text => {
    expect(JSON.parse(textOf(setPack(text, OURS)))).toEqual([{ pack_id: OURS.id, version: [0, 1, 0] }]);
  });

  it.each([
    ["[]", `[${ENTRY}]`],
    [`[ {"pack_id":"x","version":[1,2,3]} ]`, `[ {"pack_id":"x","version":[1,2,3]}, ${ENTRY} ]`],
    [
      `[\r\n\t// mine\r\n\t{ "pack_id" : "x",  "version" : [ 1, 2 ] } /* end */\r\n]`,
      `[\r\n\t// mine\r\n\t{ "pack_id" : "x",  "version" : [ 1, 2 ] },\r\n\t${ENTRY} /* end */\r\n]`,
    ],
    [`\uFEFF[\n  {\n    "pack_id": "x"\n  }\n]\n`, `\uFEFF[\n  {\n    "pack_id": "x"\n  },\n  ${ENTRY}\n]\n`],
    [`[{"pack_id":"x"},]`, `[{"pack_id":"x"}, ${ENTRY},]`],
  ])("%j gets the add-on as its last entry", (text, wanted) => {
    expect(textOf(setPack(text, OURS))).toBe(wanted);
  });

  it.each([
    [`[{"pack_id":"${OURS.id}","version":[0,0,9]}]`, `[{"pack_id":"${OURS.id}","version":[0,1,0]}]`],
    [`[{"pack_id":"${OURS.id}"}]`, `[${ENTRY}]`],
    [`[{"pack_id":"${OURS.id}","version":"0.0.9"}]`, `[${ENTRY}]`],
    [
      `[{"pack_id":"${OURS.id.toUpperCase()}","version":[0,0,9],"subpack":"a"},{"pack_id":"b","version":[1]},{"pack_id":"${OURS.id}","version":[0,0,9]}]`,
      `[{"pack_id":"${OURS.id.toUpperCase()}","version":[0,1,0],"subpack":"a"},{"pack_id":"b","version":[1]}]`,
    ],
  ])("%j gets the version in the add-on's place, once", (text, wanted) => {
    const result = textOf(setPack(text, OURS));
    expect(parse(result)).toEqual(parse(wanted));
    expect(result.replace(/\s/g, "")).toBe(wanted);
  });

  it.each([
    `[${ENTRY}]`,
    `[\n// a\n ${ENTRY} ]`,
    `\uFEFF[ { "version" : [ 0,1,0 ], "pack_id" : "${OURS.id}" } ]`,
  ])("%j is unchanged", text => {
    expect(textOf(setPack(text, OURS))).toBe(text);
  });

  it.each([
    ["{}", /expected a list of packs/],
    ["[", /line 1, column 2/],
    ['[\n{"pack_id": oops}]', /line 2, column 13/],
    ["not JSON", /invalid JSON/],
  ])("%j is rejected", (text, reason) => {
    const result = setPack(text, OURS);
    expect(isFault(result) && result.fault).toMatch(reason);
  });

  it("ignores invalid entries", () => {
    const text = `[1, null, {"pack_id": 5}, {"pack_id":"A","version":[1,0,0]}, {"pack_id":"b","version":"2.0"}, {"pack_id":"C"}] // end`;
    expect(readPackList(text)).toEqual({
      entries: [
        { id: "a", version: [1, 0, 0] },
        { id: "b", version: "2.0" },
      ],
      unversioned: ["c"],
    });
  });

  const other = fc.record({ pack_id: fc.uuid(), version: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)) });
  const layout = fc.constantFrom(
    (list: unknown[]) => JSON.stringify(list),
    (list: unknown[]) => JSON.stringify(list, undefined, 2),
    (list: unknown[]) =>
      `// head\r\n${JSON.stringify(list, undefined, "\t").replace(/\n/g, "\r\n")}\r\n/* end */`,
    (list: unknown[]) => `\uFEFF[${list.map(item => `\n${JSON.stringify(item)}`).join(",")}\n]`,
  );

  it("is restored once the add-on is removed, and keeps the order of other entries", () => {
    fc.assert(
      fc.property(fc.array(other), layout, (list, write) => {
        const text = write(list);
        const added = textOf(setPack(text, OURS));
        expect(readPackList(added)).toEqual({
          entries: [...list.map(({ pack_id, version }) => ({ id: pack_id, version })), OURS],
          unversioned: [],
        });
        expect(textOf(setPack(added, OURS))).toBe(added);
        expect(textOf(removePack(added, OURS.id))).toBe(text);
      }),
    );
  });
});
