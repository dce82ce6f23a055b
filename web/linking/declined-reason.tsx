import type { DeclineReason } from "../../client/types.ts";
import { declinedText } from "../platform/texts.ts";

interface Props {
  /** undefined: an older version of the service did not store it */
  reason: DeclineReason | undefined;
  /** what the game calls this browser */
  code: string;
}

/** Why a request was declined. */
export const DeclinedReason = ({ reason, code }: Props) => (
  <p class={reason === "same_characters" ? "fault" : undefined}>{declinedText(reason, code)}</p>
);
