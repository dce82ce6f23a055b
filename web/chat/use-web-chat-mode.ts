import { useCallback, useEffect, useState } from "preact/hooks";
import type { ServiceSettings, WebChatMode } from "../../client/types.ts";
import { client } from "../service/service.ts";
import type { Session } from "../service/session.ts";
import { isByCommand } from "./by-command.ts";

/** No event reports a change of the settings. A hidden page does not poll. */
const POLL_MS = 15_000;

export interface WebChatModeState {
  mode: WebChatMode;
  /** whether players write here with `/bridge:say` */
  isByCommand: boolean;
  /** whether this browser is linked; only read in mode `linked` */
  isLinked: boolean | undefined;
  poll(): Promise<void>;
}

/**
 * Follows who may write from the website, and how the game does. `first`: the settings that the page began with; `onlyServer`: name of
 * the only game server that is shown.
 */
export function useWebChatMode(
  first: ServiceSettings,
  { begun }: Session,
  onlyServer: string | undefined,
): WebChatModeState {
  const [settings, setSettings] = useState(first);
  const [isLinked, setIsLinked] = useState<boolean | undefined>(undefined);
  const readLink = useCallback(async () => {
    const session = await client.session();
    if (session.ok || session.code === "missing_session")
      setIsLinked(session.ok && session.value.status === "accepted");
  }, []);
  const poll = useCallback(async () => {
    const answer = await client.settings();
    if (!answer.ok) return;
    setSettings(answer.value);
    if (answer.value.webChat === "linked") await readLink();
  }, [readLink]);
  useEffect(() => {
    if (first.webChat === "linked") void begun.then(readLink);
    const timer = setInterval(() => void (document.hidden || poll()), POLL_MS);
    return () => clearInterval(timer);
  }, [poll, readLink, begun, first]);
  return { mode: settings.webChat, isByCommand: isByCommand(settings, onlyServer), isLinked, poll };
}
