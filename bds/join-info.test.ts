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

  it("is read, including numbers written as text", () => {
    expect(join(ANSWER)).toEqual({ value: READ });
    expect(join({ ...ANSWER, players: "3", maxPlayers: "20" })).toEqual({ value: READ });
  });

  it("is nothing if the response is empty, as without LAN visibility", () => {
    expect(parseJoinInfo("")).toEqual({ value: { isEmpty: true } });
    expect(parseJoinInfo(" \n")).toEqual({ value: { isEmpty: true } });
  });

  it.each([
    { version: "1.26\n" },
    { players: -1 },
    { players: "3 of 4" },
    { players: 2 ** 31 },
    { maxPlayers: null },
  ])("omits invalid values: %j", wrong => {
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

  it("closes the connection after reading", async () => {
    const connections: (string | undefined)[] = [];
    server = await startOtherServer((_path, response) => {
      connections.push(response.req.headers.connection);
      response.end(JSON.stringify(ANSWER));
    });
    expect(await fetchJoinInfo(server.port, never)).toEqual({ value: READ });
    expect([server.paths, connections]).toEqual([["/v1/join"], ["close"]]);
  });

  it("rejects other statuses, and does not follow redirects", async () => {
    server = await startOtherServer((_path, response) => {
      response.writeHead(302, { Location: "/elsewhere" }).end("{}");
    });
    expect(await fetchJoinInfo(server.port, never)).toEqual({ fault: "it answers 302" });
    expect(server.paths).toEqual(["/v1/join"]);
  });

  it("reads at most 16 KiB of a response, and aborts a longer one", async () => {
    const long = (length: number) => JSON.stringify({ ...ANSWER, more: "x".repeat(length) });
    let body = long(16_384 - long(0).length);
    server = await startOtherServer((_path, response) => void response.end(body));
    expect(await fetchJoinInfo(server.port, never)).toEqual({ value: READ });
    body += " ";
    expect(await fetchJoinInfo(server.port, never)).toEqual({ fault: "the answer is too long" });
  });

  it("ends at its deadline, even in the middle of a response", async () => {
    const deadline = new AbortController();
    server = await startOtherServer((_path, response) => {
      response.write("{", () => deadline.abort());
    });
    expect(await fetchJoinInfo(server.port, deadline.signal)).toEqual({ fault: "no answer in time" });
  });

  it("reports why there is no response", async () => {
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
