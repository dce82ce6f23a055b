import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { NO_SERVICES, WAITING } from "../../owner/bds/console-lines.ts";
import { openServer } from "../../owner/bds/folder.ts";
import { systemFiles } from "../../owner/bds/system.ts";
import { runRealtime } from "../simulator/realtime.ts";
import { createServerFolderSimulator, type ServerFolderGame } from "../simulator/server-folder.ts";
import type { Course } from "./course.ts";
import { keepWorld, keptWorld, lockWorld } from "./keep.ts";
import { makeWhatIsMissing, saveLevel } from "./new-world.ts";
import { createPorts } from "./ports.ts";
import { createVoice } from "./voice.ts";

/** What a stand-in has to do with the world around it. */
interface Around {
  write(text: string): void;
  /** UDP port for the local network. Default: the one that the game has, which exists once on a machine. */
  readonly lanPort?: number;
  /** Ends the process as a fault of its own does. */
  crash(): void;
}

/** A server that runs. */
export interface StandIn {
  /** Types a line at its console. */
  type(line: string): void;
  /** Resolves with the code to exit with when it has ended. */
  readonly ended: Promise<number>;
}

/**
 * Starts a server in its folder.
 * @throws when the folder is none of a server
 */
export async function startStandIn(
  root: string,
  course: Course,
  { write, crash, lanPort }: Around,
): Promise<StandIn> {
  const server = openServer(root, systemFiles);
  if ("faults" in server) throw new Error(server.faults.join("\n"));
  const level = server.world.levelDat;
  const voice = createVoice(course, write);
  if (course.startSeconds && existsSync(level)) await sleep(course.startSeconds * 1000);
  await makeWhatIsMissing(server);
  const unlock = lockWorld(server);
  const earlier = keptWorld(server);
  let game: ServerFolderGame | undefined;
  const ports = createPorts(server, course, () => game?.simulator.world.players.length ?? 0, lanPort);
  const { quirks, omit, takenCommands, refuses, leavesList } = course;
  const running = await createServerFolderSimulator(root, {
    stdout: voice.say,
    keepsList: leavesList !== true,
    keep: world => keepWorld(server, world),
    open: ports.open,
    ...(earlier && { earlier }),
    ...(quirks && { quirks }),
    ...(omit && { omit }),
    ...(takenCommands && { takenCommands }),
    ...(refuses && { refuses }),
  });
  game = running;
  const { simulator, type, isUp } = running;
  if (!isUp) {
    simulator.dispose();
    await voice.silence();
    return { type: () => undefined, ended: Promise.resolve(1) };
  }

  const driver = runRealtime(simulator, { tps: course.tps ?? 20 });
  let end: (code: number) => void;
  const ended = new Promise<number>(resolve => {
    end = resolve;
  });
  let isEnding = false;
  async function stop(line: string): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    await driver.stop();
    await saveLevel(level, simulator.world.tick);
    await type(line);
    ports.close();
    unlock();
    await voice.silence();
    end(0);
  }

  if (course.ends) {
    const { how, seconds } = course.ends;
    setTimeout(() => {
      if (how === "crash") return crash();
      for (const [level, line] of [
        ["INFO", WAITING],
        ["ERROR", NO_SERVICES],
      ] as const)
        voice.say(`[${new Date().toISOString().slice(0, 10)} 00:00:00:000 ${level}] ${line}`);
      void stop("stop");
    }, seconds * 1000);
  }

  let turn = Promise.resolve();
  return {
    type(line) {
      turn = turn.then(async () => {
        const [, word = ""] = /^\s*\/?(\S*)/.exec(line) ?? [];
        if (isEnding) return;
        if (word === "stop") await stop(line);
        else if (word === "reload" && course.reload === "worldLoad")
          await simulator.reload({ worldLoad: true });
        else if (word !== "reload" || course.reload !== "nothing") await type(line);
      });
    },
    ended,
  };
}
