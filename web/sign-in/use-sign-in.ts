import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Result } from "../../client/index.ts";
import type { SignInEnd, SignInState } from "../../client/types.ts";
import type { Fault } from "../linking/link-state.ts";
import { usePolling } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";
import { client } from "../service/service.ts";
import { announce } from "../ui/announce.tsx";
import * as ask from "./calls.ts";

/** What the page shows of a sign-in. */
export type SignIn =
  | { is: "loading" }
  /** it is over, or another browser's */
  | { is: "gone" }
  /** the page goes on to the site */
  | { is: "leaving"; site: string }
  | {
      is: "open";
      state: SignInState;
      /** until when the player may answer, in milliseconds since 1970 by this browser */
      until: number | undefined;
      /** what the game calls this browser */
      code: string;
    };

interface SignInControl {
  signIn: SignIn;
  fault: Fault | undefined;
  isBusy: boolean;
  askPlayer(name: string): Promise<void>;
  goOn(uuid: string): Promise<void>;
  cancel(): Promise<void>;
}

/** Follows the sign-in of the page to its end. Each step is asked for here: nothing that came from elsewhere is one. */
export function useSignIn(): SignInControl {
  const [signIn, setSignIn] = useState<SignIn>({ is: "loading" });
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const [readFault, setReadFault] = useState<Fault | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const latest = useRef(signIn);
  /** what the game calls this browser; empty as long as there is no session */
  const code = useRef("");
  /** grows with each call that changes something: what was read before its end is old */
  const changes = useRef(0);

  const show = useCallback((next: SignIn) => {
    const { current: before } = latest;
    // What has come to its end stays so.
    if (before.is === "gone" || before.is === "leaving") return;
    latest.current = next;
    setSignIn(next);
  }, []);

  /** Goes on to the site, or says why that cannot be. */
  const leave = useCallback(
    (end: Result<SignInEnd>, site: string) => {
      if (end.ok) {
        show({ is: "leaving", site });
        announce(texts.signIn.goingOn(site));
        // Who comes back by the button of the browser comes to the site, and not to what is over.
        location.replace(end.value.location);
      } else if (end.code === "not_found") show({ is: "gone" });
      else return end;
      return undefined;
    },
    [show],
  );

  const read = useCallback(async () => {
    const { current: before } = changes;
    const begun = code.current === "" ? await client.initialize() : undefined;
    if (begun?.ok) code.current = begun.value.userId.slice(0, 8);
    const answer = begun?.ok === false ? begun : await ask.state();
    if (changes.current !== before) return;
    if (!answer.ok) {
      // The cookies of the browser may be gone since: another session is begun the next time.
      if (answer.code === "missing_session") code.current = "";
      if (answer.code === "not_found") show({ is: "gone" });
      return setReadFault(answer);
    }
    const { value: state } = answer;
    const { site, player, leftMs } = state;
    if (state.silent) return setReadFault(leave(await ask.silent(), site.name));
    // The player was told in the game which site asks.
    if (state.status === "accepted" && player)
      return setReadFault(leave(await ask.goOn(player.uuid), site.name));
    setReadFault(undefined);
    const until = leftMs === null ? undefined : Date.now() + leftMs;
    show({ is: "open", state, until, code: code.current });
  }, [show, leave]);
  const isWaiting = signIn.is === "open" && signIn.state.status === "waiting";
  usePolling(isWaiting ? 1_000 : 5_000, read, signIn.is === "loading" || signIn.is === "open");

  /** Makes a change, one at a time, and reads what has come of it. */
  async function change(step: () => Promise<Fault | undefined>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setFault(undefined);
    const failed = await step();
    changes.current++;
    setFault(failed);
    setIsBusy(false);
    await read();
  }
  const site = signIn.is === "open" ? signIn.state.site.name : "";

  const status = signIn.is === "open" ? signIn.state.status : signIn.is;
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== status && status === "declined") announce(texts.declinedNow);
    before.current = status;
  }, [status]);

  return {
    signIn,
    fault: fault ?? readFault,
    isBusy,
    askPlayer: typed =>
      change(async () => {
        // Phones put a space behind a word that they have completed.
        const name = typed.trim();
        if (name === "") return { code: "missing_username" };
        const answer = await ask.player(name);
        if (answer.ok) announce(texts.pendingFor(name));
        return answer.ok ? undefined : { ...answer, subject: name };
      }),
    goOn: uuid =>
      change(async () => {
        const left = leave(await ask.goOn(uuid), site);
        // Somebody else is offered by now, or nobody: the page shows it.
        return left?.code === "not_linked" ? undefined : left;
      }),
    cancel: () => change(async () => leave(await ask.cancel(), site)),
  };
}
