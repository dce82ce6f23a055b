import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ChatLineView, Fault, FromServer, WorldView } from "../panel/protocol.ts";
import type { Command } from "../panel/read-command.ts";

const LINES = 200;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4_000;
/** Commands whose answer is still to come that are remembered. */
const OPEN_COMMANDS = 100;

export type Connection = "connecting" | "open" | "lost";

/** A command that was refused. */
export interface Refused {
  command: Command;
  fault: Fault;
}

export interface WorldSocket {
  connection: Connection;
  /** undefined until it is known */
  world: WorldView | undefined;
  /** newest last; `since`: number of the first line that came while the page was looking */
  lines: ChatLineView[];
  since: number;
  give(command: Command): void;
}

/** The world behind `/world`, connected again whenever the connection is lost. */
export function useWorld(onRefused: (refused: Refused) => void): WorldSocket {
  const [connection, setConnection] = useState<Connection>("connecting");
  const [world, setWorld] = useState<WorldView>();
  const [lines, setLines] = useState<ChatLineView[]>([]);
  const [since, setSince] = useState(Number.POSITIVE_INFINITY);
  const socket = useRef<WebSocket>(undefined);
  const open = useRef(new Map<number, Command>());
  const refused = useRef(onRefused);
  refused.current = onRefused;

  const receive = useCallback((message: FromServer): void => {
    if (message.is === "world") setWorld(message.world);
    else if (message.is === "chat") {
      setLines(before => [...before, ...message.lines].slice(-LINES));
      setSince(before => (Number.isFinite(before) ? before : (message.lines.at(-1)?.number ?? 0) + 1));
    } else {
      const command = open.current.get(message.id);
      open.current.delete(message.id);
      if (command && message.fault) refused.current({ command, fault: message.fault });
    }
  }, []);

  useEffect(() => {
    let wait = FIRST_WAIT_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const connect = (): void => {
      const made = new WebSocket(new URL("/world", location.href.replace(/^http/, "ws")));
      socket.current = made;
      made.onopen = () => {
        wait = FIRST_WAIT_MS;
        open.current.clear();
        setLines([]);
        setSince(Number.POSITIVE_INFINITY);
        setConnection("open");
      };
      made.onmessage = ({ data }) => receive(JSON.parse(String(data)));
      made.onclose = () => {
        if (ended) return;
        setConnection("lost");
        timer = setTimeout(connect, wait);
        wait = Math.min(LONGEST_WAIT_MS, wait * 2);
      };
    };
    connect();
    return () => {
      ended = true;
      clearTimeout(timer);
      socket.current?.close();
    };
  }, [receive]);

  const lastId = useRef(0);
  const give = useCallback((command: Command): void => {
    if (socket.current?.readyState !== WebSocket.OPEN) return;
    const id = ++lastId.current;
    open.current.delete(id - OPEN_COMMANDS);
    open.current.set(id, command);
    socket.current.send(JSON.stringify({ id, ...command }));
  }, []);

  return { connection, world, lines, since, give };
}
