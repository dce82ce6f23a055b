import { useCallback, useRef, useState } from "preact/hooks";
import type { Result, SignInEnd, SignInState } from "../../client/index.ts";
import { useChange, usePolling } from "../platform/hooks.ts";
import { declinedText, type Fault, texts } from "../platform/texts.ts";
import { client } from "../service/service.ts";
import { codeOf } from "../service/session.ts";
import { announce } from "../ui/announce.tsx";
import * as calls from "./calls.ts";

export type SignIn =
  | { is: "loading" }
  /** it has expired, or belongs to another browser */
  | { is: "gone" }
  /** the browser is on its way back to the site */
  | { is: "leaving"; site: string }
  | {
      is: "open";
      state: SignInState;
      /** when the request expires, in milliseconds since 1970 by this browser's clock */
      until: number | undefined;
      /** what the game calls this browser */
      code: string;
    };

interface SignInControl {
  signIn: SignIn;
  fault: Fault | undefined;
  isBusy: boolean;
  requestPlayer(name: string): Promise<void>;
  /** Continues as the linked player. */
  confirm(uuid: string): Promise<void>;
  cancel(): Promise<void>;
  /** Clears the error message about the last request. */
  changeName(): void;
}

/** Follows the sign-in to its end. Only what the visitor does on this page changes it. */
export function useSignIn(): SignInControl {
  const [signIn, setSignIn] = useState<SignIn>({ is: "loading" });
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const [readFault, setReadFault] = useState<Fault | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const latest = useRef(signIn);
  /** what the game calls this browser; empty as long as there is no session */
  const code = useRef("");
  /** grows with each change: a state that was read before is old */
  const version = useRef(0);

  const show = useCallback((next: SignIn) => {
    const { current: before } = latest;
    // Final states stay.
    if (before.is === "gone" || before.is === "leaving") return;
    latest.current = next;
    setSignIn(next);
  }, []);

  /** Returns to the site, or returns why that failed. */
  const leave = useCallback(
    (end: Result<SignInEnd>, site: string) => {
      if (end.ok) {
        show({ is: "leaving", site });
        announce(texts.signIn.goingOn(site));
        // The browser's back button then leads to the site, not to a finished sign-in.
        location.replace(end.value.location);
      } else if (end.code === "not_found") show({ is: "gone" });
      else return end;
      return undefined;
    },
    [show],
  );

  const read = useCallback(async () => {
    const { current: before } = version;
    const begun = code.current === "" ? await client.initialize() : undefined;
    if (begun?.ok) code.current = codeOf(begun.value.userId);
    const answer = begun?.ok === false ? begun : await calls.state();
    if (version.current !== before) return;
    if (!answer.ok) {
      // The cookie may have been deleted: the next read begins another session.
      if (answer.code === "missing_session") code.current = "";
      if (answer.code === "not_found") show({ is: "gone" });
      return setReadFault(answer);
    }
    const { value: state } = answer;
    const { site, player, leftMs } = state;
    if (state.silent) return setReadFault(leave(await calls.silent(), site.name));
    // The player has accepted in the game, where the request names the site.
    if (state.status === "accepted" && player)
      return setReadFault(leave(await calls.goOn(player.uuid), site.name));
    setReadFault(undefined);
    const until = leftMs === null ? undefined : Date.now() + leftMs;
    show({ is: "open", state, until, code: code.current });
  }, [show, leave]);
  const isWaiting = signIn.is === "open" && signIn.state.status === "waiting";
  usePolling(isWaiting ? 1_000 : 5_000, read, signIn.is === "loading" || signIn.is === "open");

  /** Makes one change at a time, and reads the state again. */
  async function change(step: () => Promise<Fault | undefined>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setFault(undefined);
    const failed = await step();
    version.current++;
    setFault(failed);
    setIsBusy(false);
    await read();
  }
  const site = signIn.is === "open" ? signIn.state.site.name : "";

  const status = signIn.is === "open" ? signIn.state.status : signIn.is;
  useChange(status, () => {
    if (signIn.is === "open" && status === "declined")
      announce(declinedText(signIn.state.reason, signIn.code));
  });

  return {
    signIn,
    fault: fault ?? readFault,
    isBusy,
    requestPlayer: typed =>
      change(async () => {
        // Phones add a space after a completed word.
        const name = typed.trim();
        if (name === "") return { code: "missing_username" };
        const answer = await calls.player(name);
        if (answer.ok) announce(texts.pendingFor(name));
        return answer.ok ? undefined : { ...answer, subject: name };
      }),
    confirm: uuid =>
      change(async () => {
        const failure = leave(await calls.goOn(uuid), site);
        // The linked player has changed: the page shows the new one.
        return failure?.code === "not_linked" ? undefined : failure;
      }),
    changeName: () => setFault(undefined),
    cancel: () => change(async () => leave(await calls.cancel(), site)),
  };
}
