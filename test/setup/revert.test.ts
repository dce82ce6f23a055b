import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { revertJson, revertProperties } from "../../owner/setup/revert.ts";

describe("taking changes out of JSON", () => {
  it.each([
    ["a key that was added", '{"a":1}', '{"a":1,"b":2}', '{"a":1,"b":2,"c":3}', '{"a":1,"c":3}'],
    ["a key that was changed", '{"a":1}', '{"a":2}', '{"a":2,"c":3}', '{"a":1,"c":3}'],
    ["nothing where the owner changed the same", '{"a":1}', '{"a":2}', '{"a":3}', '{"a":3}'],
    ["an entry of a list", '["x"]', '["x","o"]', '["y","x","o"]', '["y","x"]'],
    ["an entry that was replaced", '["old","x"]', '["new","x"]', '["new","x","z"]', '["x","z","old"]'],
    ["keys that are left empty", "{}", '{"a":{"b":[1]}}', '{"a":{"b":[1]},"c":1}', '{"c":1}'],
    ["all but what the owner put beside", undefined, '{"a":{"b":1}}', '{"a":{"b":1,"c":2}}', '{"a":{"c":2}}'],
    ["nothing of a text that is no JSON", undefined, '{"a":1}', '{"a":', '{"a":'],
    ["a whole file", undefined, '{"a":[1,2]}', ' { "a" : [2,1] } ', undefined],
    ["all but the owner's comments", undefined, "[1]", "[1] // mine", "[] // mine"],
  ])("takes %s", (_name, before, after, now, wanted) => {
    const result = revertJson(before, after, now);
    if (wanted === undefined) expect(result).toBeUndefined();
    else expect(result?.replace(/\s(?!mine)/g, "")).toBe(wanted.replace(/\s(?!mine)/g, ""));
  });

  const json = fc.dictionary(
    fc.constantFrom("a", "b", "c"),
    fc.oneof(fc.nat(3), fc.dictionary(fc.constantFrom("x", "y"), fc.nat(3)), fc.uniqueArray(fc.nat(5))),
  );

  it("gives what was there before when nothing else was changed", () => {
    fc.assert(
      fc.property(json, json, fc.constantFrom(undefined, 2), (before, after, indent) => {
        const text = JSON.stringify(after, undefined, indent);
        const result = revertJson(JSON.stringify(before), text, `${text}\n`) ?? "{}";
        expect(parse(result)).toEqual(JSON.parse(JSON.stringify(before)));
      }),
    );
  });

  it("takes a pack off a list in whatever version it stands there now", () => {
    const [own, other] = ['{"pack_id":"o","version":[1]}', '{"pack_id":"x","version":[1]}'];
    const now = '[{"pack_id":"x","version":[2]},{"version":[3],"pack_id":"O"}]';
    expect(revertJson(`[${other}]`, `[${other},${own}]`, now)).toBe('[{"pack_id":"x","version":[2]}]');
    const old = '{"pack_id":"o","version":[0]}';
    const back = revertJson(`[${old},${other}]`, `[${own},${other}]`, '[{"pack_id":"o","version":[3]}]');
    expect(parse(back ?? "")).toEqual([JSON.parse(old)]);
  });

  it("changes entries of a list where they stand", () => {
    const after = '[{"id":"x"}, {"id":"o","v":2}]';
    expect(revertJson('[{"id":"x"},{"id":"o","v":1}]', after, `// mine\n${after}`)).toBe(
      '// mine\n[{"id":"x"}, {"id":"o","v":1}]',
    );
  });

  it("keeps what the owner has added", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const result = revertJson(
          JSON.stringify(before),
          JSON.stringify(after),
          JSON.stringify({ ...after, own: [1] }),
        );
        expect(parse(result ?? "{}").own).toEqual([1]);
      }),
    );
  });
});

describe("taking changes out of server.properties", () => {
  it.each([
    ["a=1\n", "a=1\nb=2\n", "a=5\nb=2\n", "a=5\n"],
    ["a=1\n", "a=2\n", "#\na=2\n", "#\na=1\n"],
    ["a=1\n", "a=2\n", "a=3\n", "a=3\n"],
  ])("%j, %j, %j gives %j", (before, after, now, wanted) => {
    expect(revertProperties(before, after, now)).toBe(wanted);
  });
});
