import type { AsyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import type { OpenApi } from "../../sidecar/features/docs/openapi.ts";
import { docsContent } from "../../sidecar/features/docs/page/page.ts";

/**
 * The page of `/docs` as one file that needs no service.
 * @param style CSS of that page
 * @param script JavaScript of that page
 */
export function referencePage(rest: OpenApi, messages: AsyncApi, style: string, script: string): string {
  const { nav, main } = docsContent(rest, messages);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Web Bridge: API</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>API</h1>
<p>With the default settings. A running service has its own page at <code>/docs</code>.</p>
</header>
<nav aria-label="Contents">${nav.text}</nav>
<main id="content">
${main.text}
</main>
<p class="sr copied" role="status"></p>
<script type="module">${script.replaceAll("</script", "<\\/script")}</script>
</body>
</html>
`;
}
