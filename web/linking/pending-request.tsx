import * as format from "../platform/format.ts";
import { useNow } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";

interface Props {
  /** whom the request is for, where that is known */
  name: string | undefined;
  /** until when the player may answer, in milliseconds since 1970, where that is known */
  until: number | undefined;
  /** what the game calls this browser */
  code: string;
  /** how long a player may take to answer */
  verificationMs: number;
  isAway: boolean;
}

/** A request that waits for its player. */
export function Pending({ name, until, code, verificationMs, isAway }: Props) {
  const now = useNow(250);
  // The time of the service goes on for as long as the request was on its way: it says when it is over.
  const left = until && Math.max(0, until - now);
  return (
    <div class="pending">
      <p>{isAway ? texts.pendingAway : name === undefined ? texts.pendingUnknown : texts.pendingFor(name)}</p>
      <p>
        {texts.pendingCode} <code>{code}</code>
      </p>
      {left === undefined ? (
        <p class="soft">{texts.timeUnknown(format.countdown(verificationMs))}</p>
      ) : (
        <p class="countdown" role="timer" aria-live="off">
          <progress aria-label={texts.timeLeft(format.countdown(left))} value={left} max={verificationMs} />
          {texts.timeLeft(format.countdown(left))}
        </p>
      )}
    </div>
  );
}
