const STORED = "chat-said";
/** Texts that are kept: more lines than one browser has on a page. */
const MOST = 200;

let said: readonly string[] | undefined;

/** What was said with this browser lately, in its other tabs too. */
function texts(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    // Without storage what was said is known as long as the page lasts.
    return said ?? [];
  }
}

/** Takes down what is said with this browser. */
export function keepSaid(text: string): void {
  said = [...texts(), text].slice(-MOST);
  try {
    localStorage.setItem(STORED, JSON.stringify(said));
  } catch {
    return;
  }
}

/**
 * Whether a text was said with this browser. What a line is called by in the feed is for everybody to read, and to imitate: it
 * does not prove whose the line is.
 */
export const hasSaid = (text: string): boolean => texts().includes(text);
