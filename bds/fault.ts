/** What a file held that makes it unusable: one line for its owner, without the name of the file. */
export interface Fault {
  fault: string;
}

/** Whether a result is the reason why there is none. */
export const isFault = (result: object | undefined): result is Fault =>
  result !== undefined && "fault" in result;
