import { once } from "node:events";
import { connect, createServer } from "node:net";
import { isErrno } from "../../cli/errno.ts";

/** How long another trial may take to say which process it is, in milliseconds. */
const TELL_MS = 2_000;

/** A name of the system's that goes with whoever has it, however that one ends. On Linux each network has its own. */
const placeOf = (name: string): string =>
  process.platform === "win32" ? `\\\\.\\pipe\\${name}` : `\0${name}`;

/**
 * Takes the turn of the one trial that this network has room for, until this process ends or gives it back. Two that begin at once
 * both find the game's ports free.
 * @returns `other`: who has it already, in words; undefined: this one has it, or the system has no such names
 */
export async function takeTurn(name = "web-bridge-prove"): Promise<{ other?: string; giveBack(): void }> {
  const place = placeOf(name);
  const server = createServer(socket => {
    socket.on("error", () => undefined);
    socket.end(String(process.pid));
  });
  server.unref();
  const giveBack = (): void => void server.close();
  try {
    await once(server.listen(place), "listening");
  } catch (error) {
    return isErrno(error, "EADDRINUSE", "EACCES") ? { other: await holder(place), giveBack } : { giveBack };
  }
  // What it tells is worth nothing once it cannot.
  server.on("error", () => undefined);
  return { giveBack };
}

async function holder(place: string): Promise<string> {
  let said = "";
  const socket = connect(place).setEncoding("utf8").setTimeout(TELL_MS);
  socket.on("timeout", () => socket.destroy());
  socket.on("data", (part: string) => {
    said = (said + part).slice(0, 20);
  });
  await once(socket, "close").catch(() => undefined);
  return /^\d+$/.test(said) ? `process ${said}` : "a process that does not answer";
}
