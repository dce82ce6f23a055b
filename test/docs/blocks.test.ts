import { describe, expect, it } from "@jest/globals";
import { blocks, exists, PAGES, text } from "./pages.ts";

/**
 * Who runs, compares or reads the blocks of a page: by heading and language, the test that does. Nobody may add a block
 * without saying so here. `*` is every heading of a page that is made from something else.
 */
const CLAIMS: Record<string, Record<string, string>> = {
  "README.md": {
    "try-it-without-minecraft sh": "test/docs/owner-steps.test.ts",
    "try-it-without-minecraft text": "test/docs/examples.test.ts",
    "on-your-server sh": "test/docs/download.test.ts",
    "on-your-server text": "test/docs/download.test.ts",
    "before-others-can-reach-it sh": "test/docs/download.test.ts",
    "for-web-developers sh": "test/docs/examples.test.ts",
    "for-web-developers json": "test/docs/examples.test.ts",
  },
  "deploy/README.md": {
    "linux sh": "test/deploy/commands.test.ts",
    "windows powershell": "test/deploy/commands.test.ts",
    "from-trying-to-a-service sh": "test/deploy/commands.test.ts",
    "from-trying-to-a-service powershell": "test/deploy/commands.test.ts",
    "docker sh": "test/deploy/commands.test.ts",
    "docker properties": "test/deploy/env.test.ts",
    "two-game-servers properties": "test/deploy/game-ports.test.ts",
    "the-game-servers-ports properties": "test/deploy/game-ports.test.ts",
    "the-game-servers-ports sh": "test/deploy/game-ports.test.ts",
    "the-game-servers-ports powershell": "test/deploy/game-ports.test.ts",
    "a-proxy-with-tls sh": "test/deploy/env.test.ts",
    "several-sidecars sh": "test/deploy/scale-commands.test.ts",
    "the-same-in-containers sh": "test/deploy/scale-commands.test.ts",
  },
  "docs/after-an-update.md": {
    "what-to-do sh": "test/docs/owner-steps.test.ts",
    "what-to-do text": "test/docs/owner-steps.test.ts",
    "other-versions-of-the-modules sh": "test/docs/owner-steps.test.ts",
  },
  "docs/configuration.md": {
    "configuration text": "test/docs/tables.test.ts",
    "one-setting-by-a-command sh": "test/docs/tables.test.ts",
    "every-key yaml": "test/docs/tables.test.ts",
    "a-badge markdown": "test/docs/badge.test.ts",
    "a-badge html": "test/docs/badge.test.ts",
    "who-may-write-from-the-web sh": "test/docs/tables.test.ts",
    "what-is-kept sh": "test/docs/tables.test.ts",
    "keys sh": "test/admin/key.test.ts",
    "the-audit sh": "test/admin/audit.test.ts",
    "tls sh": "test/docs/tables.test.ts",
    "tls nginx": "test/deploy/proxies.test.ts",
    "below-a-path-of-your-website nginx": "test/deploy/below-path.test.ts",
    "below-a-path-of-your-website caddy": "test/deploy/below-path.test.ts",
    "several-sidecars sh": "test/docs/tables.test.ts",
  },
  "docs/cookbook/README.md": {
    "a-website-on-another-domain sh": "test/docs/cookbook-backend.test.ts",
    "content-security-policy text": "test/docs/cookbook-chat.test.ts",
  },
  "docs/install-by-hand.md": {
    "1-start-the-sidecar-once sh": "test/docs/owner-steps.test.ts",
    "1-start-the-sidecar-once text": "test/docs/owner-steps.test.ts",
    "2-put-the-pack-into-the-world json": "test/docs/install.test.ts",
    "4-allow-the-pack-to-call-the-sidecar json": "test/docs/install.test.ts",
    "4-allow-the-pack-to-call-the-sidecar properties": "test/docs/owner-steps.test.ts",
    "5-start-the-game-server text": "test/docs/install.test.ts",
  },
  "docs/questions.md": {
    "who-is-my-visitor-while-the-player-is-offline js": "test/docs/questions.test.ts",
    "how-does-my-own-server-check-a-link js": "test/docs/questions.test.ts",
    "can-the-service-be-below-a-path-of-my-website js": "test/docs/questions.test.ts",
    "why-must-userid-not-be-written-into-a-log js": "test/docs/questions.test.ts",
    "how-do-i-show-the-chat-of-before js": "test/docs/questions.test.ts",
    "which-lines-are-from-the-game-and-which-from-the-web js": "test/docs/questions.test.ts",
    "how-do-i-turn-the-chat-of-the-web-off sh": "test/docs/questions.test.ts",
    "how-do-i-turn-the-chat-of-the-web-off js": "test/docs/questions.test.ts",
    "how-do-i-show-who-comes-and-dies-with-a-head js": "test/docs/questions.test.ts",
    "how-long-does-a-link-last js": "test/docs/questions.test.ts",
    "how-long-does-a-link-last sh": "test/docs/questions.test.ts",
    "how-do-i-call-it-from-react-php-or-python jsx": "test/docs/questions.test.ts",
    "how-do-i-call-it-from-react-php-or-python php": "test/docs/questions.test.ts",
    "how-do-i-call-it-from-react-php-or-python python": "test/docs/questions.test.ts",
    "can-several-servers-share-one-host sh": "test/docs/questions.test.ts",
    "which-ports-have-to-be-open-for-a-website sh": "test/docs/questions.test.ts",
    "why-does-a-monitor-show-the-server-offline js": "test/docs/questions.test.ts",
    "what-stays-the-same-in-later-versions js": "test/docs/questions.test.ts",
  },
  "docs/reference.md": {
    "* json": "test/docs/reference.test.ts",
    "* text": "test/docs/reference.test.ts",
  },
  "docs/scaling.md": { "a-plan text": "test/bench/plan.test.ts" },
  "docs/troubleshooting.md": { "when-something-is-wrong sh": "test/docs/owner-steps.test.ts" },
  "docs/webhooks.md": {
    "discord-in-one-line sh": "test/docs/webhooks.test.ts",
    "discord-in-one-line text": "test/docs/webhooks.test.ts",
    "what-can-be-set yaml": "test/docs/webhooks.test.ts",
    "what-can-be-set sh": "test/docs/webhooks.test.ts",
    "try-it sh": "test/docs/webhooks.test.ts",
    "try-it text": "test/docs/webhooks.test.ts",
    "a-receiver-of-your-own json": "test/docs/webhooks.test.ts",
    "a-receiver-of-your-own js": "test/docs/webhooks.test.ts",
  },
  "docs/web-api.md": {
    "sessions-cookies-origins js": "test/docs/snippets.test.ts",
    "status-and-players sh": "test/docs/examples.test.ts",
    "status-and-players http": "test/docs/examples.test.ts",
    "name-address-version-and-size sh": "test/docs/examples.test.ts",
    "name-address-version-and-size http": "test/docs/examples.test.ts",
    "history sh": "test/docs/examples.test.ts",
    "history http": "test/docs/examples.test.ts",
    "settings sh": "test/docs/examples.test.ts",
    "settings http": "test/docs/examples.test.ts",
    "what-happened-events js": "test/docs/snippets.test.ts",
    "what-happened-events sh": "test/docs/examples.test.ts",
    "what-happened-events http": "test/docs/examples.test.ts",
    "session sh": "test/docs/examples.test.ts",
    "session http": "test/docs/examples.test.ts",
    "linking sh": "test/docs/examples.test.ts",
    "linking http": "test/docs/examples.test.ts",
    "whitelist sh": "test/docs/examples.test.ts",
    "whitelist http": "test/docs/examples.test.ts",
    "health sh": "test/docs/examples.test.ts",
    "health http": "test/docs/examples.test.ts",
    "chat js": "test/docs/snippets.test.ts",
    "the-client js": "test/docs/snippets.test.ts",
  },
};

describe.each(PAGES)("the blocks of %s", page => {
  it("are each run or compared by a test, and by no test that is gone", () => {
    const claims = CLAIMS[page] ?? {};
    const claimed = blocks(page).map(({ heading, language }) => {
      const any = `* ${language}`;
      return any in claims ? any : `${heading} ${language}`;
    });
    expect(Object.keys(claims).sort()).toEqual([...new Set(claimed)].sort());
  });

  it("are read by the test that is named", () => {
    for (const test of new Set(Object.values(CLAIMS[page] ?? {}))) {
      expect([test, exists(test)]).toEqual([test, true]);
      expect([test, text(test)]).toEqual([test, expect.stringContaining(page.replace("deploy/", ""))]);
    }
  });
});
