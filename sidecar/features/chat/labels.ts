import { createHmac } from "node:crypto";
import { BROWSER_LABEL_LENGTH, LABEL_LETTERS } from "../../../shared/web-chat.ts";

/** The public label of a session: eight letters that reveal nothing of its id. */
export type LabelOf = (session: string) => string;

/** Labels of one installation: every sidecar with this bridge token gives the same ones. */
export const createLabels =
  (token: string): LabelOf =>
  session =>
    [...createHmac("sha256", token).update(`label of ${session}`).digest().subarray(0, BROWSER_LABEL_LENGTH)]
      .map(byte => LABEL_LETTERS[byte % LABEL_LETTERS.length])
      .join("");
