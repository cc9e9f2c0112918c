// How long the campaign against the agent is: short in every run, whole when it is asked for by hand.
import { campaign } from './campaign.ts';

const kills = campaign('AGENT_KILLS', 4, 8);
const events = campaign('AGENT_KILL_EVENTS', 200, 400);

export const agentCampaign = { kills, events, timeoutMs: 120_000 + kills * 20_000 + events * 20 };
