import { openServer } from "../../bds/folder.ts";
import { systemFiles } from "../../bds/system.ts";
import { runRealtime } from "../simulator/realtime.ts";
import { createServerFolderSimulator, type ServerFolderGame } from "../simulator/server-folder.ts";
import type { StandInBehaviour } from "./deviations.ts";
import { createPorts } from "./ports.ts";
import { keepWorld, lockWorld, makeWhatIsMissing, readSavedWorld, saveLevel } from "./world.ts";

/** A running server. */
interface StandIn {
  /** Types a line in its console. */
  type(line: string): void;
  /** Resolves with the exit code when it has ended. */
  readonly ended: Promise<number>;
}

/**
 * Starts a server in its folder; its console is the output of this process.
 * @throws if it is not a server folder
 */
export async function startStandIn(
  root: string,
  { crashSeconds, ...course }: StandInBehaviour,
): Promise<StandIn> {
  const server = openServer(root, systemFiles);
  if ("faults" in server) throw new Error(server.faults.join("\n"));
  await makeWhatIsMissing(server);
  const unlock = lockWorld(server);
  const earlier = readSavedWorld(server);
  let game: ServerFolderGame | undefined;
  const ports = createPorts(server, () => game?.simulator.world.players.length ?? 0);
  const running = await createServerFolderSimulator(root, {
    stdout: line => void process.stdout.write(`${line}\n`),
    keepsList: true,
    keep: world => keepWorld(server, world),
    open: ports.open,
    ...(earlier && { earlier }),
    ...course,
  });
  game = running;
  const { simulator, type, isUp } = running;
  if (!isUp) {
    simulator.dispose();
    return { type: () => undefined, ended: Promise.resolve(1) };
  }
  const driver = runRealtime(simulator, { tps: 20 });
  if (crashSeconds !== undefined) setTimeout(() => process.kill(process.pid, "SIGSEGV"), crashSeconds * 1000);
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>(resolve => {
    end = resolve;
  });
  let isEnding = false;

  const stop = async (line: string): Promise<void> => {
    isEnding = true;
    await driver.stop();
    await saveLevel(server, simulator.world.tick);
    await type(line);
    ports.close();
    unlock();
    end(0);
  };

  let turn = Promise.resolve();
  return {
    type(line) {
      turn = turn.then(async () => {
        if (isEnding) return;
        await (/^\s*\/?stop\b/.test(line) ? stop(line) : type(line));
      });
    },
    ended,
  };
}
