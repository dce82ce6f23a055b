import { resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { commandsIn } from "./commands.ts";
import { commandsBy, readRunBy, sidecarCommands } from "./run-by.ts";

const commands = {
  start: "npm start --",
  launch: "npm run launch --",
  home: resolve("/srv/home/config.yml"),
};
const of = (runBy: string | undefined, file = resolve("/srv/my bridge/config.yml")) =>
  sidecarCommands(readRunBy(runBy), commands, file);

describe("the command to start the sidecar", () => {
  it.each([
    ["systemd:web-bridge", "systemctl start web-bridge", "systemctl restart web-bridge"],
    ["systemd:web-bridge@3\n", "systemctl start web-bridge@3", "systemctl restart 'web-bridge@*'"],
    [
      "compose",
      "docker compose -f deploy/docker/compose.yml up -d web-bridge",
      "docker compose -f deploy/docker/compose.yml restart web-bridge",
    ],
    [
      "compose:docker-compose.yml",
      "docker compose -f docker-compose.yml up -d web-bridge",
      "docker compose -f docker-compose.yml restart web-bridge",
    ],
    [
      "task:Web Bridge",
      "Start-ScheduledTask 'Web Bridge'",
      "Stop-ScheduledTask 'Web Bridge'; Start-ScheduledTask 'Web Bridge'",
    ],
  ])("match how the sidecar is run: %j", (runBy, start, restart) => {
    expect(of(runBy)).toEqual({ start, restart });
  });

  it.each([
    undefined,
    "",
    "systemd:--now x",
    "systemd:x; rm -rf /",
    "task:a' ; x",
    "compose:x\ny",
    "compose:a b",
    "compose:--x",
  ])("are those of a manual start, and contain nothing of %j", runBy => {
    const start = `npm start -- --config "${resolve("/srv/my bridge/config.yml")}"`;
    expect(of(runBy)).toMatchObject({ start, restart: `stop the sidecar, then run ${start}` });
    expect(of(runBy, commands.home).start).toBe("npm start");
  });
});

it("a sidecar that runs beside its game server is started and stopped with it", () => {
  const start = 'npm run launch -- --server "/srv/my server"';
  const by = readRunBy("launch\n", "/srv/my server");
  expect(sidecarCommands(by, commands, commands.home)).toMatchObject({
    start,
    restart: `type "stop" on the console of the game server (on a panel, restart it instead), then run ${start}`,
  });
  const elsewhere = resolve("/srv/config.yml");
  expect(sidecarCommands(readRunBy("launch"), commands, elsewhere).start).toBe(
    `npm run launch -- --server <folder of the game server> --config ${elsewhere}`,
  );
});

it("commands for an owner run on the host with a composition, and directly otherwise", () => {
  const own = commandsIn("/nowhere", "linux", "/nowhere");
  expect(commandsBy(readRunBy("systemd:web-bridge"), own)).toEqual(own);
  expect(commandsBy(readRunBy("compose"), own)).toMatchObject({
    setup: "docker compose -f deploy/docker/compose.yml run --rm setup",
    doctor: "docker compose -f deploy/docker/compose.yml run --rm doctor",
    key: "docker compose -f deploy/docker/compose.yml exec web-bridge node /app/dist/tools/key.js",
    config:
      "docker compose -f deploy/docker/compose.yml run --rm --entrypoint node web-bridge /app/dist/tools/config.js",
    hook: "docker compose -f deploy/docker/compose.yml run --rm --entrypoint node web-bridge /app/dist/tools/hook.js",
  });
});
