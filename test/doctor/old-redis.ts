import { createServer, type Server } from "node:net";

// Own connections: plays an old Redis.

/** Something that says that it is an old Redis. */
export async function startOld(): Promise<{ port: number; stop(): Promise<void> }> {
  const about = ["server", "redis", "version", "6.2.14", "mode", "standalone", "role", "master"];
  const reply = `*${about.length}\r\n${about.map(text => `$${text.length}\r\n${text}\r\n`).join("")}`;
  const server: Server = createServer(socket => {
    socket.on("error", () => undefined);
    socket.on("data", () => socket.write(reply));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  };
}
