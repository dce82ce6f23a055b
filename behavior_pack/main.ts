import { checkAllowList, createAllowList } from "./game/allow-list.ts";
import { betaPlayers, checkKick } from "./game/beta-players.ts";
import { subscribeToChat } from "./game/chat-events.ts";
import { refuseJoins } from "./game/joins.ts";
import { checkNet, createHttpClient } from "./game/net.ts";
import { runPack } from "./run-pack.ts";

// The pack with all features, which needs the experiment "Beta APIs".

const { started, warn } = runPack((clock, missing) => {
  checkNet(missing);
  checkKick(missing);
  checkAllowList(missing);
  return {
    players: betaPlayers(missing),
    http: createHttpClient(),
    allowList: createAllowList(clock.tick),
    begun: pack => refuseJoins(pack.refusal, missing),
  };
});
subscribeToChat((...line) => started()?.said(...line), warn);
