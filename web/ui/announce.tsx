import { useEffect, useState } from "preact/hooks";

let setAnnouncement: (text: string) => void = () => undefined;

/** Has screen readers read a text out, without moving the focus. */
export const announce = (text: string): void => setAnnouncement(text);

/** The live region that announcements appear in. Once on the page. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    setAnnouncement = setText;
  }, []);
  return (
    <div class="sr" role="status" aria-live="polite">
      {text}
    </div>
  );
}
