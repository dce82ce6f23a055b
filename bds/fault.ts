/** What a file held that makes it unusable: one line for its owner, without the name of the file. */
export interface Fault {
  fault: string;
  /** a folder is in its place, which nothing can be corrected in */
  isFolder?: true;
}

/** Whether a result is the reason why there is none. */
export const isFault = (result: object | undefined): result is Fault =>
  result !== undefined && "fault" in result;
