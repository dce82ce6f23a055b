/** Says each step before it begins: "3 of 9: ...". */
interface Steps {
  step(text: string): void;
  /** how far a step is */
  tell(text: string): void;
}

export function createSteps(total: number, say: (line: string) => void): Steps {
  let place = 0;
  return {
    step(text) {
      place++;
      say(`${place} of ${Math.max(place, total)}: ${text}`);
    },
    tell: text => say(`    ${text}`),
  };
}
