import { describe, expect, it } from "@jest/globals";
import { type Bench, named } from "../../lab/bench/bench.ts";

const ALL = ["whitelist", "whitelist-reads", "floods-idle", "floods-chat"].map(
  (name): Bench => ({ name, about: "", run: () => Promise.reject(new Error("is not run")) }),
);
const namesOf = (name: string): string[] => named(ALL, name).map(bench => bench.name);

describe("a name given to the benchmarks", () => {
  it("is that of one of them, whatever others begin with it", () => {
    expect(namesOf("whitelist")).toEqual(["whitelist"]);
  });

  it("is the beginning of several", () => {
    expect(namesOf("floods")).toEqual(["floods-idle", "floods-chat"]);
    expect(namesOf("floo")).toEqual([]);
  });
});
