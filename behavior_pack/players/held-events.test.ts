import { describe, expect, it } from "@jest/globals";
import { createHeldEvents } from "./held-events.ts";

function begin() {
  const known = new Set<string>();
  const gone = new Set<string>();
  const log: string[] = [];
  const held = createHeldEvents<string>(name => {
    if (gone.has(name)) throw new Error("gone");
    return known.has(name);
  });
  return {
    known,
    gone,
    log,
    held,
    join: (name: string) => held.add(name, name, () => log.push(`${name} joined`)),
    happens: (what: string, ...names: string[]) => held.happened(names, () => log.push(what)),
  };
}

describe("events of players who are not identified yet", () => {
  it("[CONSOLE-7] are reported after the join, and later ones of others after them, in order", () => {
    const { known, log, held, join, happens } = begin();
    known.add("Alex");
    join("Alex");
    join("Steve");
    happens("Alex said hi", "Alex");
    expect(log).toEqual(["Alex joined", "Alex said hi"]);
    happens("Steve said hi", "Steve");
    happens("Alex said hello", "Alex");
    happens("Steve died by Alex", "Steve", "Alex");
    held.step();
    expect(log).toHaveLength(2);
    known.add("Steve");
    held.step();
    expect(log.slice(2)).toEqual(["Steve joined", "Steve said hi", "Alex said hello", "Steve died by Alex"]);
    happens("Steve died", "Steve");
    expect(log.at(-1)).toBe("Steve died");
  });

  it("wait for all players that they are about", () => {
    const { known, log, held, join, happens } = begin();
    join("Alex");
    join("Steve");
    happens("Steve died by Alex", "Steve", "Alex");
    known.add("Steve");
    held.step();
    expect(log).toEqual(["Steve joined"]);
    known.add("Alex");
    held.step();
    expect(log).toEqual(["Steve joined", "Alex joined", "Steve died by Alex"]);
  });

  it("are reported without a join when the player leaves first", () => {
    const { log, held, join, happens } = begin();
    join("Steve");
    happens("Steve said hi", "Steve");
    held.left("Steve");
    held.step();
    expect(log).toEqual(["Steve said hi"]);
  });

  it("do not wait for a player who left without a report", () => {
    const { gone, log, held, join, happens } = begin();
    join("Steve");
    happens("Steve said hi", "Steve");
    gone.add("Steve");
    held.step();
    expect(log).toEqual(["Steve said hi"]);
    gone.delete("Steve");
    join("Steve");
    happens("Steve said hello", "Steve");
    gone.add("Steve");
    join("Steve");
    expect(held.isWaiting("Steve")).toBe(false);
    held.step();
    expect(log).toEqual(["Steve said hi", "Steve said hello"]);
  });

  it("are dropped from the oldest on when there are too many", () => {
    const { known, log, held, join, happens } = begin();
    join("Steve");
    for (let i = 0; i < 300; i++) happens(`line ${i}`, "Steve");
    known.add("Steve");
    held.step();
    expect(log).toHaveLength(1 + 256);
    expect(log[1]).toBe("line 44");
  });
});
