import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ChatLineView, Fault, FromServer, SidecarView, WorldView } from "../panel/protocol.ts";
import type { Command } from "../panel/read-command.ts";

const LINES = 200;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 4_000;
/** Most commands that wait for a response. */
const MAX_PENDING = 100;

type Connection = "connecting" | "open" | "lost";

/** A rejected command. */
export interface RejectedCommand {
  command: Command;
  fault: Fault;
}

/** Whether the command was carried out; also false without a connection. */
export type Send = (command: Command) => Promise<boolean>;

export interface WorldSocket {
  connection: Connection;
  /** undefined until it is known */
  world: WorldView | undefined;
  /** undefined if there is only one */
  sidecars: SidecarView[] | undefined;
  /** newest last */
  lines: ChatLineView[];
  send: Send;
}

/** A command that waits for a response. */
interface PendingCommand {
  command: Command;
  settle(isDone: boolean): void;
}

/** The world from `/world`. Reconnects when the connection is lost. */
export function useWorld(onRefused: (refused: RejectedCommand) => void): WorldSocket {
  const [connection, setConnection] = useState<Connection>("connecting");
  const [world, setWorld] = useState<WorldView>();
  const [sidecars, setSidecars] = useState<SidecarView[]>();
  const [lines, setLines] = useState<ChatLineView[]>([]);
  const socket = useRef<WebSocket>(undefined);
  const pending = useRef(new Map<number, PendingCommand>());
  const refused = useRef(onRefused);
  refused.current = onRefused;

  const receive = useCallback((message: FromServer): void => {
    if (message.is === "world") setWorld(message.world);
    else if (message.is === "sidecars") setSidecars(message.sidecars);
    else if (message.is === "chat") setLines(before => [...before, ...message.lines].slice(-LINES));
    else {
      const sent = pending.current.get(message.id);
      pending.current.delete(message.id);
      sent?.settle(message.fault === undefined);
      if (sent && message.fault) refused.current({ command: sent.command, fault: message.fault });
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
        setLines([]);
        setConnection("open");
      };
      made.onmessage = ({ data }) => receive(JSON.parse(String(data)));
      made.onclose = () => {
        for (const { settle } of pending.current.values()) settle(false);
        pending.current.clear();
        if (ended) return;
        setConnection("lost");
        timer = setTimeout(connect, wait);
        wait = Math.min(MAX_WAIT_MS, wait * 2);
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
  const send = useCallback((command: Command): Promise<boolean> => {
    const { current } = socket;
    if (current?.readyState !== WebSocket.OPEN) return Promise.resolve(false);
    const id = ++lastId.current;
    pending.current.get(id - MAX_PENDING)?.settle(false);
    pending.current.delete(id - MAX_PENDING);
    return new Promise(settle => {
      pending.current.set(id, { command, settle });
      current.send(JSON.stringify({ id, ...command }));
    });
  }, []);

  return { connection, world, sidecars, lines, send };
}
