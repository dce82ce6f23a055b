import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { isOfTests } from "../helpers/test-files.ts";
import { recipe } from "./front.ts";

const FOLDER = new URL("../../sidecar/kernel/storage/redis/", import.meta.url);

const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
  name => /\.(ts|lua)$/.test(name) && !isOfTests(name),
);
const source = files.map(name => readFileSync(new URL(name, FOLDER), "utf8")).join("\n");

/** Commands that need no permission, and those for Redis Sentinel. */
const FREE = ["hello", "sentinel"];

/** Commands that the sidecar uses, by their names in an ACL. */
function commands(): string[] {
  const plain =
    /(?:redis\.(?:p?call\('|ask\(\s*")|[aA]skOn\(\s*\w+,\s*"|sendCommand\(\s*\[\s*")(\w+)(?:['"],\s*"([A-Z]+)"|['"])/g;
  const found = [...source.matchAll(plain)].map(([, name = "", sub]) =>
    (["CLUSTER", "CLIENT", "SCRIPT"].includes(name) ? `${name}|${sub}` : name).toLowerCase(),
  );
  return [...new Set(found)].filter(name => !FREE.includes(name)).sort();
}

const [first = "", own = ""] = recipe("redis/users.acl").trim().split("\n");

describe("the users of Redis", () => {
  it("are one, with a password, whose rights are exactly the commands of the sidecar and the doctor", () => {
    expect(first).toBe("user default off ~* &* +@all");
    expect(own).toMatch(/^user web-bridge on >PASSWORD resetchannels ~\{web-bridge\}:\* -@all( \+[a-z|]+)+$/);
    // By hash, and by the text after scripts were flushed; also the doctor and the check of a container.
    const more = ["evalsha", "eval", "info", "ping"];
    const allowed = [...own.matchAll(/ \+([a-z|]+)/g)].map(([, name]) => name ?? "");
    expect(allowed.sort()).toEqual([...new Set([...commands(), ...more])].sort());
  });
});
