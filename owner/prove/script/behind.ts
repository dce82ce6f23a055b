import { mc } from "../../../behavior_pack/game/modules.ts";
import { behindPack } from "./before.ts";

mc.system.runInterval(behindPack, 1);
