import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { Int8, Int32, NBTData, read, write } from "nbtify";
import { levelDat } from "../scripts/make-server.mjs";
import { isFault } from "./fault.ts";
import { BETA_SWITCHES, enableBetaApis, readLevelDat } from "./level-dat.ts";

function enabled(bytes: Uint8Array): Uint8Array {
  const result = enableBetaApis(bytes);
  if (isFault(result)) throw new Error(result.fault);
  return result.bytes;
}

const faultOf = (bytes: Uint8Array): string => {
  const [one, other] = [readLevelDat(bytes), enableBetaApis(bytes)];
  expect(isFault(one) && one.fault).toBe(isFault(other) && other.fault);
  return isFault(one) ? one.fault : "";
};

const text = (value: string): number[] => {
  const bytes = Buffer.from(value, "utf8");
  return [bytes.length & 0xff, bytes.length >> 8, ...bytes];
};

/** A file with these tags, written by hand. */
function file(...tags: number[][]): Uint8Array {
  const body = [10, 0, 0, ...tags.flat(), 0];
  const bytes = Uint8Array.from([10, 0, 0, 0, 0, 0, 0, 0, ...body]);
  new DataView(bytes.buffer).setUint32(4, body.length, true);
  return bytes;
}

describe("level.dat", () => {
  it("differs only in the three switches if they exist", async () => {
    const before = await levelDat("off");
    const after = enabled(before);
    const changed = [...after.keys()].filter(at => after[at] !== before[at]);
    expect(after).toHaveLength(before.length);
    expect(changed.map(at => [before[at], after[at]])).toEqual(Array(3).fill([0, 1]));
    const { experiments } = (await read<Record<string, object>>(after, { endian: "little" })).data;
    expect(experiments).toEqual({
      data_driven_vanilla_blocks_and_items: new Int8(0),
      gametest: new Int8(1),
      experiments_ever_used: new Int8(1),
      saved_with_toggled_experiments: new Int8(1),
    });
  });

  it("gets the missing switches, and nothing else", async () => {
    const before = await levelDat("none");
    const after = enabled(before);
    const [one, other] = [await read(before, { endian: "little" }), await read(after, { endian: "little" })];
    const switches = Object.fromEntries(BETA_SWITCHES.map(name => [name, new Int8(1)]));
    expect(other.data).toEqual({ ...one.data, experiments: switches });
    const added = after.length - before.length;
    const at = after.length - 1 - added;
    expect(Buffer.from(after.subarray(8, at))).toEqual(Buffer.from(before.subarray(8, at)));
    expect(after.at(-1)).toBe(0);
    expect(new DataView(after.buffer).getUint32(4, true)).toBe(after.length - 8);
  });

  it("gets them after existing experiments", () => {
    const off = file([10, ...text("experiments"), 1, ...text("gametest"), 0, 1, ...text("x"), 1, 0]);
    expect(readLevelDat(enabled(off))).toMatchObject({
      betaApis: true,
      experiments: {
        gametest: true,
        x: true,
        experiments_ever_used: true,
        saved_with_toggled_experiments: true,
      },
    });
  });

  it("is unchanged if the Beta APIs are on", async () => {
    const bytes = await levelDat("on");
    expect(enabled(bytes)).toBe(bytes);
    expect(readLevelDat(bytes)).toMatchObject({ betaApis: true, openedWith: [1, 26, 60, 6] });
  });

  it("may contain values that other readers lose", () => {
    const strange = file(
      [8, ...text("2"), ...text("🎮")],
      [8, ...text("1"), 2, 0, 0xff, 0xfe],
      [8, ...text("__proto__"), ...text("x\0y")],
      [5, ...text("nan"), 1, 0, 0xa0, 0x7f],
      [9, ...text("ends"), 0, 0, 0, 0, 0],
      [9, ...text("negative"), 1, 0xff, 0xff, 0xff, 0xff],
      [1, ...text("twice"), 1],
      [1, ...text("twice"), 2],
    );
    const after = enabled(strange);
    expect([...after.subarray(8, strange.length - 1)]).toEqual([...strange.subarray(8, -1)]);
    expect(readLevelDat(after)).toMatchObject({ betaApis: true });
  });

  it("loses nothing, with any tags", async () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double(),
      fc.integer().map(value => new Int32(value)),
      fc.int8Array(),
      fc.array(fc.string()),
    );
    const name = fc.string({ maxLength: 8 }).filter(key => key !== "__proto__" && key !== "experiments");
    const flag = fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, leaf), fc.tuple(flag, flag, flag), async (tags, flags) => {
        const experiments = Object.fromEntries(
          flags.flatMap((value, place) =>
            value === undefined ? [] : [[BETA_SWITCHES[place] ?? "", new Int8(value)]],
          ),
        );
        const data = { StorageVersion: new Int32(10), ...tags, experiments };
        const before = await write(new NBTData(data, { rootName: "", endian: "little", bedrockLevel: true }));
        const after = enabled(before);
        expect(readLevelDat(after)).toMatchObject({ betaApis: true });
        expect(enabled(after)).toBe(after);
        const added = BETA_SWITCHES.filter((_name, place) => flags[place] === undefined);
        const more = added.reduce((sum, each) => sum + 4 + each.length, 0);
        expect(after.length).toBe(before.length + more);
      }),
      { numRuns: 60 },
    );
  });

  it("is rejected when it is truncated or not a level.dat", async () => {
    const good = await levelDat("off");
    const wrongLength = Uint8Array.from(good);
    new DataView(wrongLength.buffer).setUint32(4, 5, true);
    const trailing = Uint8Array.from([...good, 0, 0, 0]);
    const counted = Uint8Array.from(trailing);
    new DataView(counted.buffer).setUint32(4, counted.length - 8, true);
    expect(faultOf(new Uint8Array())).toMatch(/empty/);
    expect(faultOf(good.subarray(0, 5))).toMatch(/truncated/);
    expect(faultOf(good.subarray(0, good.length - 10))).toMatch(/truncated/);
    expect(faultOf(wrongLength)).toMatch(/its header says 5 bytes/);
    expect(faultOf(trailing)).toMatch(/its header says/);
    expect(faultOf(counted)).toMatch(/damaged/);
    expect(faultOf(gzipSync(good))).toMatch(/Java Edition/);
    expect(faultOf(Buffer.from("this is no level.dat at all"))).toMatch(/not a level.dat of Bedrock/);
    expect(faultOf(file([99, ...text("what"), 1]))).toMatch(/damaged/);
    expect(faultOf(file([9, ...text("list"), 1, 0xff, 0xff, 0xff, 0x7f]))).toMatch(/damaged/);
    expect(faultOf(file([8, ...text("experiments"), ...text("x")]))).toMatch(/expected a compound/);
    const nested = file(...Array.from({ length: 600 }, () => [10, 0, 0]), Array(600).fill(0));
    expect(faultOf(nested)).toBe("it is nested deeper than 512");
    const lists = Array.from({ length: 100_000 }, () => [9, 1, 0, 0, 0]);
    expect(faultOf(file([9, ...text("lists"), ...lists.flat()]))).toBe("it is nested deeper than 512");
  });

  it.each(Array.from({ length: 13 }, (_, type) => type))(
    "is refused when a list of tags of type %d says that it has 2,147,483,647",
    type => {
      const most = [0xff, 0xff, 0xff, 0x7f];
      expect(faultOf(file([9, ...text("list"), type, ...most]))).toMatch(/damaged/);
      if ([7, 11, 12].includes(type))
        expect(faultOf(file([type, ...text("many"), ...most]))).toMatch(/damaged/);
    },
  );

  it("is rejected when a switch has another type", () => {
    const odd = file([10, ...text("experiments"), 3, ...text("gametest"), 1, 0, 0, 0, 0]);
    const result = enableBetaApis(odd);
    expect(isFault(result) && result.fault).toMatch(/gametest is not a switch/);
  });

  it("returns a result or a reason, for any bytes", async () => {
    const good = await levelDat("off");
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, value, end) => {
        const bytes = Uint8Array.from(good.subarray(0, end));
        if (at < end) bytes[at] = value;
        if (end >= 8) new DataView(bytes.buffer).setUint32(4, end - 8, true);
        const before = Uint8Array.from(bytes);
        const result = enableBetaApis(bytes);
        expect(isFault(result) || result.bytes.length >= bytes.length).toBe(true);
        expect(bytes).toEqual(before);
      }),
    );
  });
});
