import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./testing/helpers.ts";

const tryAll = (members: string[]): string =>
  members
    .map(code => `try { ${code}; console.log("ok"); } catch (e) { console.log(e.name + ": " + e.message); }`)
    .join("\n");

const imports = `
  import { world, system } from "@minecraft/server";
  import { ActionFormData, uiManager } from "@minecraft/server-ui";
  import { http, HttpRequest, HttpHeader } from "@minecraft/server-net";
  import { variables, secrets, dedicatedServer } from "@minecraft/server-admin";
`;

it("rejects at load what early execution does not allow, with the names of member and mode", async () => {
  const simulator = await game(
    imports +
      tryAll([
        "world.getAllPlayers()",
        "world.sendMessage('x')",
        "world.setDynamicProperty('a', 1)",
        "new HttpRequest('http://x')",
        "new HttpHeader('a', 'b')",
        "new ActionFormData()",
        "dedicatedServer.allowList",
        "variables.names",
        "system.currentTick",
        "variables.get('a')",
        "secrets.get('a')",
        "world.afterEvents.playerJoin.subscribe(() => {})",
        "system.run(() => {})",
      ]),
  );
  const refused = (what: string) => `ReferenceError: Native ${what} cannot be used in early execution`;
  expect(printed(simulator)).toEqual([
    refused("function [World::getAllPlayers]"),
    refused("function [World::sendMessage]"),
    refused("function [World::setDynamicProperty]"),
    refused("class constructor [HttpRequest]"),
    refused("class constructor [HttpHeader]"),
    refused("class constructor [ActionFormData]"),
    refused("property getter [DedicatedServerUtils::allowList]"),
    refused("property getter [ServerVariables::names]"),
    ...Array(5).fill("ok"),
  ]);
});

it("rejects in a before event what restricted execution does not allow", async () => {
  const simulator = await game(`${imports}
    world.beforeEvents.chatSend.subscribe(({ sender }) => {
      ${tryAll([
        "uiManager.closeAllForms(sender)",
        "new ActionFormData().title('t').show(sender)",
        "sender.chatNamePrefix = 'x'",
        "dedicatedServer.allowList.add({ name: 'x' })",
        "world.afterEvents.playerJoin.subscribe(() => {})",
        "world.getAllPlayers()",
        "world.setDynamicProperty('a', 1)",
        "sender.sendMessage('x')",
        "http.cancelAll('x')",
        "dedicatedServer.allowList.contains({ name: 'x' })",
      ])}
      system.run(() => { sender.chatNamePrefix = "later "; });
    });
  `);
  const steve = simulator.world.join("Steve");
  steve.say("hi");
  await simulator.tick(2);
  const refused = (what: string) => `ReferenceError: Native ${what} cannot be used in restricted execution`;
  expect(printed(simulator)).toEqual([
    refused("function [UIManager::closeAllForms]"),
    refused("function [ActionFormData::show]"),
    refused("property setter [Player::chatNamePrefix]"),
    refused("function [AllowList::add]"),
    refused("function [PlayerJoinAfterEventSignal::subscribe]"),
    ...Array(5).fill("ok"),
  ]);
  expect(errors(simulator)).toEqual([]);
  expect(steve.displayName).toBe("later Steve");
});
