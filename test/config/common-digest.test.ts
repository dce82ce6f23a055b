import { expect, it } from "@jest/globals";
import { commonDigest } from "../../sidecar/config/startup-settings.ts";
import { TOKEN, testConfig } from "../helpers/sidecar.ts";

it("tells settings apart, and lets nobody without the token try out what their secrets may be", () => {
  const none = new Map<string, string>();
  const [plain, open] = [testConfig({}), testConfig({ yaml: "modules.api.chat.web: off\n" })];
  expect(commonDigest(plain, TOKEN, none)).toBe(commonDigest(testConfig({}), TOKEN, none));
  expect(commonDigest(open, TOKEN, none)).not.toBe(commonDigest(plain, TOKEN, none));
  expect(commonDigest(plain, `${TOKEN}x`, none)).not.toBe(commonDigest(plain, TOKEN, none));
});

it("tells game servers apart by their order, names, titles and tokens, and not by what one sidecar sees of them", () => {
  const lobby = new Map([["lobby", "a"]]);
  const digestOf = (yaml: string, tokens = lobby): string =>
    commonDigest(testConfig({ yaml }), TOKEN, tokens);
  const one = digestOf("servers: [{name: lobby}]\n");
  expect(digestOf("servers: [{name: lobby, process: '7', info: {port: 19142}}]\n")).toBe(one);
  for (const other of [
    "",
    "servers: [{name: hub}]\n",
    "servers: [{name: lobby, title: Hub}]\n",
    "servers: [{name: lobby}, {name: hub}]\n",
    "server.name: first\nservers: [{name: lobby}]\n",
  ])
    expect(digestOf(other)).not.toBe(one);
  expect(digestOf("servers: [{name: lobby}]\n", new Map([["lobby", "b"]]))).not.toBe(one);
  expect(digestOf("server.name: first\n")).toBe(digestOf(""));
});
