import { expect, it } from "@jest/globals";
import * as lines from "../../lab/simulator/console-lines.ts";
import { code, table } from "./pages.ts";

/** Word for word as the game writes them, `…` for what differs. */
const GAME = [
  "================ TRANSPORT TYPE ERROR  ===================",
  "Your current connection type is not set to NetherNet. In this release, NetherNet is the only supported transport type.",
  "Players will not be able to connect to your game without NetherNet.",
  "To switch, set 'transport=nethernet' in server.properties.",
  "Accepting clients on …",
  "IPv4 supported, port: …: …",
  "IPv6 supported, port: …: …",
  "Waiting for Minecraft services...",
  "Could not connect to Minecraft services. This is required to accept connections in online mode.",
  "Using an allowlist without online authentication can be dangerous and is not allowed.",
  "Allow list is enabled but contains no entries.",
  "Use allowlist add <playername> for you and your friends so that they can access the server, or modify allowlist.json manually.",
  "Alternatively, the allow list can be turned off by typing allowlist off or manually toggled in the server.properties file.",
  "Player connected: …, xuid: …",
  "Player PartyIdUpdate:  pfid: …, partyid: …, isLeader: …",
  "Player Spawned: … xuid: …, pfid: …",
  "Player disconnected: …, xuid: …, pfid: …",
];
/** Those of its packs and scripts. */
const SCRIPTING = [
  "… requesting dependency on beta APIs …, but the Beta APIs experiment is not enabled.",
  "Configured pack (id: …) was not found",
  "… depends on unknown module …",
  "Native module error or file not found",
];

it("the page has the lines of the game word for word, each with what to do", () => {
  const rows = table("docs/troubleshooting.md", "game lines");
  expect(rows.flatMap(([line]) => code(line)).sort()).toEqual([...GAME, ...SCRIPTING].sort());
  for (const [, what] of rows) expect(what).not.toBe("");
});

it("the simulated game writes the same", () => {
  const known = Object.values(lines).flat();
  // An empty line, and a row of signs below the last one, say nothing.
  expect(known.filter(line => !/^=*$/.test(line)).sort()).toEqual([...GAME].sort());
});
