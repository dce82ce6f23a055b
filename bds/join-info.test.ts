import { afterEach, describe, expect, it } from "@jest/globals";
import { type OtherServer, startOtherServer } from "../test/helpers/receiver.ts";
import { fetchJoinInfo, parseJoinInfo } from "./join-info.ts";

const ANSWER = {
  name: "§aMy §lServer",
  version: "1.26.52",
  level: "Bedrock level",
  protocol: 2193,
  players: 3,
  maxPlayers: 20,
  gameType: 0,
};
const READ = { version: "1.26.52", players: 3, maxPlayers: 20 };

describe("what a game server reports about itself", () => {
  const join = (info: object) => parseJoinInfo(JSON.stringify(info));

  it("is read, and numbers also as text", () => {
    expect(join(ANSWER)).toEqual({ value: READ });
    expect(join({ ...ANSWER, players: "3", maxPlayers: "20" })).toEqual({ value: READ });
  });

  it("is nothing where the answer is empty, as without LAN visibility", () => {
    expect(parseJoinInfo("")).toEqual({ value: { isEmpty: true } });
    expect(parseJoinInfo(" \n")).toEqual({ value: { isEmpty: true } });
  });

  it.each([
    { version: "1.26\n" },
    { players: -1 },
    { players: "3 of 4" },
    { players: 2 ** 31 },
    { maxPlayers: null },
  ])("leaves out what is not as it should be: %j", wrong => {
    const [key = ""] = Object.keys(wrong);
    const { [key]: _left, ...rest }: Record<string, unknown> = READ;
    expect(join({ ...ANSWER, ...wrong })).toEqual({ value: rest });
  });

  it.each(["<html>", "[]", "5", "null", '{"name":'])("is not in %s", body => {
    expect(parseJoinInfo(body)).toEqual({ fault: "the answer is not that of a game server" });
  });
});

describe("asking a game server", () => {
  let server: OtherServer;
  afterEach(() => server.close());
  const never = new AbortController().signal;

  it("is read over a connection that is closed afterwards", async () => {
    const connections: (string | undefined)[] = [];
    server = await startOtherServer((_path, response) => {
      connections.push(response.req.headers.connection);
      response.end(JSON.stringify(ANSWER));
    });
    expect(await fetchJoinInfo(server.port, never)).toEqual({ value: READ });
    expect([server.paths, connections]).toEqual([["/v1/join"], ["close"]]);
  });

  it("takes no other status, and goes where it is sent to by none", async () => {
    server = await startOtherServer((_path, response) => {
      response.writeHead(302, { Location: "/elsewhere" }).end("{}");
    });
    expect(await fetchJoinInfo(server.port, never)).toEqual({ fault: "it answers 302" });
    expect(server.paths).toEqual(["/v1/join"]);
  });

  it("reads 16 KiB of an answer, and breaks off one that is longer", async () => {
    const long = (length: number) => JSON.stringify({ ...ANSWER, more: "x".repeat(length) });
    let body = long(16_384 - long(0).length);
    server = await startOtherServer((_path, response) => void response.end(body));
    expect(await fetchJoinInfo(server.port, never)).toEqual({ value: READ });
    body += " ";
    expect(await fetchJoinInfo(server.port, never)).toEqual({ fault: "the answer is too long" });
  });

  it("ends with its deadline, also in the middle of an answer", async () => {
    const deadline = new AbortController();
    server = await startOtherServer((_path, response) => {
      response.write("{", () => deadline.abort());
    });
    expect(await fetchJoinInfo(server.port, deadline.signal)).toEqual({ fault: "no answer in time" });
  });

  it("says what keeps it from an answer", async () => {
    server = await startOtherServer((_path, response) => void response.destroy());
    expect(await fetchJoinInfo(server.port, never)).toEqual({ fault: "ECONNRESET" });
    const { port } = server;
    await server.close();
    expect(await fetchJoinInfo(port, never)).toEqual({ fault: "ECONNREFUSED" });
    server = await startOtherServer((_path, response) => {
      response.writeHead(101, { Connection: "Upgrade", Upgrade: "x" }).end();
    });
    expect(await fetchJoinInfo(server.port, never)).toEqual({ fault: "the connection broke" });
  });
});
