import { describe, expect, it } from "@jest/globals";
import { note, ok, problem } from "../../owner/doctor/finding.ts";
import { judgedFindings } from "../../owner/prove/checks.ts";

const stage = { folder: "/tmp/trial/plain", side: { folder: "/tmp/trial/plain-sidecar" } };
const other = problem(
  "other-game",
  "the server /srv/live (process 4711) runs on this machine, too, and both need UDP port 7551",
  "stop one of them",
);

describe("what the doctor finds in a trial", () => {
  it("is not broken by a game server that its owner runs beside it, which is named as worth knowing", () => {
    expect(judgedFindings([ok("node", "fine"), note("clock", "it is late"), other], stage)).toEqual({
      state: "held",
      seen: "1 checks are right; worth knowing: clock, other-game",
    });
  });

  it("is broken by what is wrong with the copy, in words that name no folder and no other server", () => {
    const wrong = problem("port", "/tmp/trial/plain/server.properties: no port", "set one");
    expect(judgedFindings([wrong, other], stage)).toEqual({
      state: "broken",
      seen: "port: the copy/server.properties: no port",
    });
  });
});
