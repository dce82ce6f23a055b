import * as format from "../platform/format.ts";
import { useNow } from "../platform/hooks.ts";
import { texts } from "../platform/texts.ts";

interface Props {
  /** of the player, where it is known */
  name: string | undefined;
  /** when the request expires, in milliseconds since 1970, where it is known */
  until: number | undefined;
  /** what the game calls this browser */
  code: string;
  /** how long a player may take to answer, in milliseconds */
  verificationMs: number;
  isAway: boolean;
}

/** A request that the player has not answered yet. */
export function PendingRequest({ name, until, code, verificationMs, isAway }: Props) {
  const now = useNow(250);
  // The request expires a little later at the service, by the time that it took to get there.
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
