import { paintAccent } from "../ui/accent.ts";
import { setUpSearch } from "./search.ts";

/** How long a button shows that the code was copied, in milliseconds. */
const DONE_MS = 3_000;

const accent = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content;
if (accent !== undefined) paintAccent(accent);

// Examples have the address of this service, also behind a proxy; as a file, the page belongs to none.
const base = new URL(".", location.href).href.slice(0, -1);
if (base.startsWith("http"))
  for (const element of document.querySelectorAll(".base"))
    element.textContent = element.textContent.startsWith("ws") ? base.replace(/^http/, "ws") : base;

const status = document.querySelector(".copied");

function addButton(figure: Element): void {
  const code = figure.querySelector("code");
  const caption = figure.querySelector("figcaption");
  if (!code || !caption) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = "Copy";
  button.ariaLabel = `Copy: ${caption.textContent}`;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection()?.selectAllChildren(code);
      return;
    }
    button.textContent = "✓";
    if (status) status.textContent = "Copied.";
    setTimeout(() => {
      button.textContent = "Copy";
      if (status) status.textContent = "";
    }, DONE_MS);
  });
  caption.append(button);
}

// Browsers allow copying only in secure contexts.
if (isSecureContext) for (const figure of document.querySelectorAll("figure.copy")) addButton(figure);

setUpSearch();
