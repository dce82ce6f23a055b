import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { linesUnder } from "../docs/pages.ts";
import { environmentOf, portsOf, servicesOf } from "./compose.ts";
import { recipe } from "./front.ts";

// Blocks of deploy/docker/README.md: two-game-servers-behind-one-sidecar sh

const first = servicesOf();
const second = servicesOf("docker/compose.servers.yml");
const { lobby, "setup-lobby": setup } = second;
const VALUES = { SERVER_ADDRESS: "192.0.2.7" };
const wordsBehind = (option: string, words: string[] = []): string[] =>
  words.flatMap((word, place) => (word === option ? [words[place + 1] ?? ""] : []));

describe("the composition of two game servers", () => {
  it("has the second one like the first, with its own ports, world and folder", () => {
    const { bds } = first;
    const names = (service = bds): string[] => Object.keys(service?.environment ?? {}).sort();
    expect(names(lobby)).toEqual(names(bds));
    expect(lobby?.image).toBe(bds?.image);
    const [own, others] = [lobby, bds].map(service => portsOf(service, { values: VALUES }));
    expect(own).toHaveLength(2);
    expect(own?.filter(port => others?.includes(port))).toEqual([]);
    const env = environmentOf(lobby, { values: VALUES });
    expect(own).toContain(`${env.SERVER_PORT}:${env.SERVER_PORT}/tcp`);
    const [, outside, inside] = env.SERVER_UDP_PORTS?.split(":") ?? [];
    expect(own).toContain(`${outside}:${inside}/udp`);
    expect(env.SERVER_UDP_PORTS?.startsWith("192.0.2.7:")).toBe(true);
    expect(lobby?.volumes).toEqual(["lobby:/data"]);
    expect(parse(recipe("docker/compose.servers.yml")).volumes).toEqual({ lobby: null });
  });

  it("sets it up by its name, for the sidecar of the first, in another folder", () => {
    expect(wordsBehind("--as", setup?.entrypoint)).toEqual(["lobby"]);
    for (const option of ["--config", "--bridge-url"])
      expect(wordsBehind(option, setup?.entrypoint)).toEqual(wordsBehind(option, first.setup?.entrypoint));
    const [folder = ""] = wordsBehind("--server", setup?.entrypoint);
    expect(wordsBehind("--server", first.setup?.entrypoint)).not.toContain(folder);
    expect(setup?.volumes).toEqual([`lobby:${folder}`, "web-bridge:/data"]);
    const { bds: _bds, ...settings } = first.setup?.environment ?? {};
    expect(setup?.environment).toEqual(settings);
    expect([setup?.user, setup?.profiles, setup?.build]).toEqual([
      first.setup?.user,
      first.setup?.profiles,
      first.setup?.build,
    ]);
  });

  it("is what the commands of the page use, in an order that works", () => {
    const commands = linesUnder("deploy/docker/README.md", "two-game-servers-behind-one-sidecar", "sh");
    const files = "docker compose -f deploy/docker/compose.yml -f deploy/docker/compose.servers.yml ";
    expect(commands.every(command => command.startsWith(files))).toBe(true);
    const done = commands.map(command => command.slice(files.length));
    expect(done).toEqual([
      "up -d --build",
      "stop lobby",
      "run --rm setup-lobby",
      "restart web-bridge",
      "up -d",
      "run --rm doctor",
    ]);
  });
});
