import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { type Echo, echoServer, errors, game, printed } from "./testing/helpers.ts";

let echo: Echo;
beforeEach(async () => {
  echo = await echoServer();
});
afterEach(() => echo.close());

const pack = `
  import { world, system } from "@minecraft/server";
  import { http, HttpRequest, HttpRequestMethod, HttpHeader, InternalHttpRequestError } from "@minecraft/server-net";
  import { secrets, variables } from "@minecraft/server-admin";
  const base = variables.get("base");
  const token = secrets.get("token");
  const show = e => [e.name, e instanceof Error, e.errorCode ?? e.uri ?? e.maxBytes ?? e.inFlightRequests].join(" ");
  globalThis.post = (path, body = "{}") => {
    const request = new HttpRequest(path.includes(":") ? path : base + path).setMethod(HttpRequestMethod.Post)
      .setBody(body).setTimeout(5).addHeader("x-kind", "test");
    if (token) request.addHeader("Authorization", token);
    const at = system.currentTick;
    return http.request(request).then(
      r => console.log(path, r.status, r.body, r.headers instanceof Array),
      e => console.log(path, show(e), "after " + (system.currentTick - at)));
  };
`;

it("hides a secret inside the VM", async () => {
  const simulator = await game(
    `
    import { secrets, SecretString } from "@minecraft/server-admin";
    import { HttpHeader } from "@minecraft/server-net";
    import { system } from "@minecraft/server";
    system.run(() => {
      const secret = secrets.get("token");
      const header = new HttpHeader("a", secret);
      for (const one of [secret, header.value, new SecretString("s3cret")]) {
        console.log(String(one), JSON.stringify(one), "" + one, Object.getOwnPropertyNames(one).length,
          Object.getOwnPropertySymbols(one).length, one instanceof SecretString);
      }
      console.log(secrets.get("other"), secrets.names.join());
    });
  `,
    { secrets: { token: "s3cret" } },
  );
  await simulator.tick();
  expect(errors(simulator)).toEqual([]);
  expect(printed(simulator).join("\n")).not.toContain("s3cret");
  expect(printed(simulator)[0]).toBe("[object Object] {} [object Object] 0 0 true");
  expect(printed(simulator)[3]).toBe("undefined token");
});

it("rejects with the error classes of the script API", async () => {
  const simulator = await game(
    `${pack} system.run(() => {
      post("/a", "x".repeat(11)); post("nonsense:"); post("http://127.0.0.2:1/"); post("/hold"); post("/b");
    });`,
    {
      variables: { base: echo.url },
      net: { maxBodyBytes: 10, maxConcurrentRequests: 1, allowedUris: [echo.url] },
    },
  );
  await simulator.tick(2);
  expect(printed(simulator)).toEqual([
    "/a RequestBodyTooLargeError true 10 after 0",
    "nonsense: MalformedUriError true  after 0",
    "http://127.0.0.2:1/ UriNotAllowedError true http://127.0.0.2:1/ after 0",
    "/b HttpRequestLimitExceededError true 1 after 0",
  ]);
  expect(simulator.http.counters.refused).toBe(4);
});

it("rejects plain HTTP if TLS is required, and reports a refused connection as 111", async () => {
  const tls = await game(`${pack} system.run(() => post("/a"));`, {
    variables: { base: echo.url },
    net: { forceTls: true },
  });
  await tls.tick();
  expect(printed(tls)[0]).toContain("/a TLSOnlyError true http://127.0.0.1");
  const closed = await echoServer();
  await closed.close();
  const refused = await game(`${pack} system.run(() => post("/a"));`, { variables: { base: closed.url } });
  await refused.until(() => printed(refused).length === 1);
  expect(printed(refused)[0]).toContain("/a InternalHttpRequestError true 111");
});

it("times out a request by the given clock", async () => {
  let now = 0;
  const simulator = await game(`${pack} system.run(() => post("/hold"));`, {
    variables: { base: echo.url },
    now: () => now,
  });
  await simulator.tick(5);
  now = 4999;
  await simulator.tick(5);
  expect(printed(simulator)).toEqual([]);
  now = 5000;
  await simulator.tick();
  expect(printed(simulator)[0]).toContain("/hold InternalHttpRequestError true 110");
  expect(simulator.http.counters.timedOut).toBe(1);
});
