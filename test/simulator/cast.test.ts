import { expect, it } from "@jest/globals";
import { answerForm, Cast } from "../../lab/simulator/cast.ts";
import { runCommand } from "../../lab/simulator/commands.ts";
import type { Simulator } from "../../lab/simulator/simulator.ts";
import { errors, game, printed } from "./helpers.ts";

const pack = `
  import { world } from "@minecraft/server";
  import { ActionFormData } from "@minecraft/server-ui";
  world.afterEvents.entityDie.subscribe(() => console.log("died"));
  world.afterEvents.chatSend.subscribe(({ sender, message }) => {
    console.log("said " + message);
    if (message !== "form") return;
    new ActionFormData().button("").button("Accept").button("").button("Decline").show(sender)
      .then(r => console.log("selection " + r.selection));
  });
`;

async function perform(seed: number): Promise<string[]> {
  const simulator = await game(pack);
  const cast = new Cast(simulator.world, { size: 5, seed, talkEveryTicks: 20, fightEveryTicks: 60 });
  cast.enter();
  for (let tick = 0; tick < 600; tick++) {
    cast.act();
    await simulator.tick();
  }
  expect(errors(simulator)).toEqual([]);
  expect(simulator.world.players).toHaveLength(5);
  return printed(simulator);
}

it("walks, talks and fights the same way for the same seed", async () => {
  const lines = await perform(3);
  expect(lines).toEqual(await perform(3));
  expect(lines).not.toEqual(await perform(4));
  expect(lines.filter(line => line === "died").length).toBeGreaterThan(2);
  expect(lines.filter(line => line.startsWith("said ")).length).toBeGreaterThan(10);
});

it("answers forms by itself when told to", async () => {
  const simulator = await game(pack);
  const cast = new Cast(simulator.world, {
    size: 1,
    forms: "decline",
    talkEveryTicks: 1e9,
    fightEveryTicks: 1e9,
  });
  cast.enter();
  simulator.world.player("Steve").say("form");
  for (let tick = 0; tick < 60; tick++) {
    cast.act();
    await simulator.tick();
  }
  expect(printed(simulator)).toEqual(["said form", "selection 3"]);
});

function commander(simulator: Simulator): { run: (line: string) => string; lags: number[] } {
  const lags: number[] = [];
  const target = { world: simulator.world, lag: (tps: number) => lags.push(tps) };
  return { run: line => runCommand(line, target), lags };
}

it("carries out each command and answers a line", async () => {
  const simulator = await game(pack);
  const { run, lags } = commander(simulator);
  expect(run("join Steve")).toBe("Steve joined");
  expect(run('join "Ari Vale"')).toBe("Ari Vale joined");
  await simulator.tick();
  expect(run("say Ari Vale form")).toBe("Ari Vale said it");
  await simulator.tick(2);
  expect(run("accept")).toBe("Ari Vale pressed accept");
  await simulator.tick();
  expect(run("kill Steve by Ari Vale")).toBe("Steve was killed by Ari Vale");
  await simulator.tick();
  expect(run("kill Steve")).toBe("Steve died");
  expect(run("lag 10")).toBe("the world runs at 10 ticks per second");
  expect(lags).toEqual([10]);
  expect(run("LEAVE Steve")).toBe("Steve left");
  await simulator.tick();
  expect(printed(simulator)).toEqual(["said form", "selection 1", "died", "died"]);
  expect(run("help")).toContain("kill NAME [by NAME]");
});

it("says what is expected of bad input", async () => {
  const simulator = await game(pack);
  const { run } = commander(simulator);
  run("join Steve");
  expect(run("")).toBe("");
  expect(run("dance")).toMatch(/^unknown command dance; expected one of: join, leave/);
  expect(run("toString")).toMatch(/^unknown command toString/);
  expect(run("join")).toBe("expected: join NAME");
  expect(run("join Steve")).toBe("Steve is online already");
  expect(run("leave Alex")).toBe("Alex is not online; online: Steve");
  expect(run("say Steve")).toBe("expected: say NAME text");
  expect(run("kill Steve with Alex")).toBe("expected: kill NAME [by NAME]");
  expect(run("accept")).toBe("nobody has a form open");
  expect(run("decline Steve")).toBe("Steve has no form open");
  expect(run("lag 0")).toBe("expected: lag TPS (0.5 to 20)");
});

it("finds the button that says yes or no, else the first or last", async () => {
  const simulator = await game(pack);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  expect(() => answerForm(steve, "accept")).toThrow("Steve has no form open");
  steve.say("form");
  await simulator.tick();
  expect(answerForm(steve, "accept")).toBe("Accept");
});
