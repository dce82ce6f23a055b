import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

const folder = new URL("../", import.meta.url);

/** Files of tests that open connections of their own, each with the reason why what comes is checked, or need not be. */
const REASONS: Record<string, string> = {
  "bench/strangers.test.ts": "asks the bridge listener for figures",
  "client/chat.test.ts": "its sockets are watched",
  "client/conversation-ends.test.ts": "reads streams, as `client/events.test.ts` does",
  "client/dead-network.test.ts": "its sockets are watched",
  "client/events.test.ts": "reads streams, whose bytes the tests of their route look at",
  "client/visitor.ts": "checks, but for streams, whose bytes the tests of their route look at",
  "contracts/checker.test.ts": "plays a service that breaks the description",
  "contracts/unchecked.test.ts": "names what it looks for",
  "demo/browser.test.ts": "plays a foreign website to the panel",
  "demo/fleet.test.ts": "speaks to the panel of the demo; the service is asked with checks",
  "demo/links.test.ts": "has a page ask, which is watched",
  "demo/panel.test.ts": "speaks to the panel of the demo, which is not the service",
  "demo/process.test.ts": "speaks to the panel of the demo; the service is asked with checks",
  "deploy/below-path.test.ts": "asks below a path, of which the description does not know",
  "deploy/front.ts": "speaks TLS to a proxy, and checks",
  "docs/badge.test.ts": "plays a website beside the service",
  "docs/cookbook-backend.test.ts": "has a page ask the server of a website",
  "docs/cookbook-discord.test.ts": "plays Discord to the bot",
  "docs/webhooks.test.ts": "plays a receiver of webhooks",
  "deploy/proxies.test.ts": "asks the bridge listener for figures",
  "deploy/names.ts": "plays a server of names",
  "deploy/scale.test.ts": "plays a pack to the bridge listener, which is not public",
  "deploy/together.test.ts": "waits until sidecars are up; all else is checked",
  "docs/website.ts": "plays a website beside the service",
  "docs/questions.test.ts": "asks the bridge listener for figures; the snippets ask with checks",
  "docs/snippets.test.ts": "its sockets are watched",
  "doctor/copied.test.ts": "plays a pack to the bridge listener, which is not public",
  "doctor/edited-address.test.ts": "passes on what the doctor asks",
  "doctor/image.test.ts": "passes on what the doctor asks",
  "doctor/network-rows.ts": "takes ports, and plays a game server",
  "doctor/old-redis.ts": "plays an old Redis",
  "doctor/redis.test.ts": "plays an old Redis, and passes on what the doctor asks",
  "doctor/running.test.ts": "passes on what the doctor asks",
  "doctor/sidecar.test.ts": "passes on what the doctor asks",
  "doctor/webhooks.test.ts": "passes on what the doctor asks",
  "e2e/bursts.test.ts": "connections without a request",
  "e2e/descriptors.test.ts": "opens connections that say nothing",
  "e2e/pipelining.test.ts": "measures how long answers take",
  "e2e/process.test.ts": "takes a port, and speaks to the bridge listener, which is not public",
  "e2e/resets.test.ts": "asks the bridge listener for figures; the service is asked with checks",
  "e2e/stops.test.ts": "has to see how each connection ends",
  "helpers/chat-socket.ts": "checks",
  "helpers/client.ts": "checks",
  "helpers/event-stream.ts": "checks",
  "helpers/fake-pack.ts": "speaks to the bridge listener, which is not public",
  "helpers/flood.ts": "looks at nothing that it is answered",
  "helpers/receiver.ts": "plays a receiver of webhooks",
  "helpers/resets.ts": "leaves before anything is answered",
  "helpers/strange-server.ts": "plays a stranger to the pack",
  "http/bridge-door.test.ts": "speaks to the bridge listener, which is not public",
  "http/bridge-status.test.ts": "speaks to the bridge listener, which is not public",
  "http/connections.test.ts": "has to see how each connection ends",
  "http/costly.test.ts": "sends bodies without end; all else is checked",
  "http/door.test.ts": "asks a bare listener for who comes first",
  "http/events-strangers.test.ts":
    "sends requests byte by byte; the same streams are checked when they are asked for properly",
  "http/events.test.ts": "compares a stream with the bodies of other calls",
  "http/feed.test.ts": "looks at the status alone",
  "http/headers.test.ts": "checks",
  "http/heads.test.ts": "compares answers with each other, byte by byte",
  "http/hosts.test.ts": "checks",
  "http/idle.test.ts": "has to see how each connection ends",
  "http/keys.test.ts":
    "sends one header twice, and a body with a pause; the same answers are checked elsewhere there",
  "http/late-rates.test.ts":
    "sends requests ahead and leaves; the same answers are checked when they are asked for properly",
  "http/log-floods.test.ts": "asks the bridge listener for figures",
  "http/node-facts.ts": "asks bare listeners what Node does",
  "http/node-internals.test.ts": "asks a bare listener what Node does",
  "http/page.test.ts":
    "sends a name of the service that is none; the page is checked by the other tests there",
  "http/pipelining.test.ts":
    "sends requests without waiting for answers; the same ones are checked when they are asked for properly",
  "http/routing.test.ts": "sends what is no HTTP; whole answers are checked by the other tests there",
  "http/slow-requests.test.ts": "requests that do not end",
  "http/unread.test.ts": "reads no answers; all else is checked",
  "http/strangers.test.ts":
    "sends requests byte by byte; the same answers are checked when they are asked for properly",
  "pack/compiled.ts": "plays the sidecar for the pack",
  "package/client.test.ts": "shows how a website calls the client, and calls nothing",
  "redis/process.test.ts": "asks a sidecar that may not answer yet",
  "redis/stop.test.ts": "asks the bridge listener for figures; all else is checked",
  "redis/reader.test.ts": "stands between a sidecar and Redis",
  "redis/refusals.test.ts": "plays an old Redis",
  "scale/balancer.test.ts": "plays the services behind the balancer",
  "scripts/runner.test.ts": "writes tests, one of which leaves a server open",
  "setup/second-sidecar.test.ts": "listens at a port, so that it is taken",
  "sidecar/stop.test.ts": "sends bodies while the sidecar stops; its socket is watched",
  "simulator/helpers.ts": "plays a server for the simulated game",
  "web/docs.test.ts": "reads a call that the page shows",
  "web/hour.test.ts": "measures what a page holds, to which a watch would add",
  "web/on-clock.ts": "its pages are watched",
  "web/slow.test.ts": "measures a slow page, to which a watch would add",
  "web/stage.ts": "its pages are watched",
  "web/start.test.ts": "passes on what the page asks, without its cookies; the page is watched",
  "web/swallower.ts": "lets the connections of a page vanish",
  "web/watch.test.ts": "plays a service that breaks the description",
};

const RAW = /\bfetch\(|\.newPage\(|from "node:(net|tls|https?|http2)"|from "ws"/;
const TYPES_ONLY = /^import type .*$/gm;

it("no test asks the service around the checks without a reason", () => {
  const raw = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map(name => name.replaceAll("\\", "/"))
    .filter(name => name.endsWith(".ts"))
    .filter(name => RAW.test(readFileSync(new URL(name, folder), "utf8").replace(TYPES_ONLY, "")));
  expect(raw.sort()).toEqual(Object.keys(REASONS).sort());
});
