import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Plug {
  /** address of the service through it, without a trailing slash */
  readonly origin: string;
  /** Resets all its connections, and new ones until `ms` have passed. */
  pull(ms: number): void;
  close(): Promise<void>;
}

/**
 * Forwards local connections to a service, unless it is unplugged.
 * @param service address without a trailing slash
 */
export async function openPlug(service: string): Promise<Plug> {
  const { hostname, port } = new URL(service);
  const open = new Set<Socket>();
  let out: NodeJS.Timeout | undefined;
  const resetAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };

  const server = createServer(socket => {
    socket.on("error", () => socket.destroy());
    if (out) return void socket.resetAndDestroy();
    const far = connect(Number(port), hostname);
    far.on("error", () => socket.destroy());
    open.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      far.destroy();
    });
    far.on("close", () => socket.destroy());
    socket.pipe(far).pipe(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pull(ms) {
      clearTimeout(out);
      out = setTimeout(() => {
        out = undefined;
      }, ms);
      resetAll();
    },
    close() {
      clearTimeout(out);
      resetAll();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
