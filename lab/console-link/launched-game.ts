import { randomBytes } from "node:crypto";
import { createConsoleLink } from "../../owner/launch/console-link/link.ts";
import { createOutputFilter } from "../../owner/launch/console-link/output-filter.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";
import { type ConsoleGame, type ConsoleGameOptions, createConsoleGame } from "../simulator/game-console.ts";
import type { Simulator } from "../simulator/simulator.ts";

interface LaunchedGameOptions extends ConsoleGameOptions {
  /** of the bridge listener */
  readonly bridge: { readonly url: string; readonly token: string };
  readonly clock: Pick<Clock, "now" | "monotonic" | "after">;
}

/** A game with the pack that keeps achievements, beside the part of `launch` that carries its messages. */
export interface LaunchedGame {
  readonly simulator: Simulator;
  /** everything that `launch` has shown of the console */
  readonly shown: string;
  /** lines of scripts in it, without time and level */
  readonly scriptLines: readonly string[];
  /** Ends the part of `launch`. */
  end(): void;
  /** @throws if a part of the link is in what `launch` has shown, or in one of these texts */
  expectHidden(...texts: readonly string[]): void;
}

/** The keys of this run, and the command that carries the words. */
const PARTS = /k[0-9a-f]{20}/g;
const COMMAND = "bridge:console";

export async function createLaunchedGame({
  bridge,
  clock,
  ...options
}: LaunchedGameOptions): Promise<LaunchedGame> {
  const keys = new Set<string>();
  let shown = "";
  let game: ConsoleGame | undefined;
  let isOver = false;
  const type = (line: string): void => {
    if (isOver) return;
    for (const [key] of line.matchAll(PARTS)) keys.add(key);
    game?.type(line.replace(/\n$/, ""));
  };
  const link = createConsoleLink({
    clock,
    random: () => randomBytes(10).toString("hex"),
    type,
    opened: () => link.send({ is: "settings", url: bridge.url }),
    received(message, reply) {
      if (message.is !== "request") return;
      fetch(bridge.url + message.path, {
        method: "POST",
        headers: { Authorization: bridge.token, "Content-Type": "application/json" },
        body: message.body,
      })
        .then(async answer => reply({ is: "answer", id: message.id, status: answer.status, body: await answer.text() }))
        .catch(() => reply({ is: "failed", id: message.id, why: "ConnectionRefused" }));
    },
  });
  const strip = (line: string) => /^\0*\[[^\]]*\] \[Scripting\] (.*)$/.exec(line)?.[1];
  const filter = createOutputFilter({
    take: line => { const t = strip(line); const m = /Player PartyIdUpdate:  pfid: (\w+)/.exec(line); if (m) link.send({is:"player", name: last, persistentId: m[1] ?? ""}); const c=/Player connected: (.*), xuid/.exec(line); if (c) last = c[1] ?? ""; return t !== undefined && link.takeLine(t); },
    isSecret: link.isSecret,
  });
  let last = "";
  game = await createConsoleGame({ ...options, isStable: true });
  game.output.on("data", (bytes: Buffer) => {
    shown += Buffer.from(filter.push(bytes)).toString();
  });
  const { simulator } = game;
  return {
    simulator,
    get shown() {
      return shown;
    },
    get scriptLines() {
      return [...shown.matchAll(/^\0*\[[^\]]*\] (\[Scripting\] .*)$/gm)].map(([, line = ""]) => line);
    },
    end() {
      isOver = true;
    },
    expectHidden(...texts) {
      for (const text of [shown, ...texts])
        for (const part of [COMMAND, ...keys])
          if (text.includes(part)) throw new Error(`a part of the console link was shown: ${text}`);
    },
  };
}
