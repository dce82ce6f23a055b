import { ownLanguage } from "./platform/own-language.ts";
import { partAddress } from "./platform/parts.ts";

// Runs inside the page's HTML, so that the texts load together with the script that needs them.
const address = partAddress(ownLanguage());
if (address !== undefined) {
  const link = document.createElement("link");
  link.rel = "preload";
  link.as = "fetch";
  link.crossOrigin = "anonymous";
  link.href = address;
  document.head.append(link);
}
