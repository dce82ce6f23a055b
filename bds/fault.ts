/** Why a file cannot be used: one line for its owner, without the file name. */
export interface Fault {
  fault: string;
  /** a folder is where the file should be */
  isFolder?: true;
}

export const isFault = (result: object | undefined): result is Fault =>
  result !== undefined && "fault" in result;
