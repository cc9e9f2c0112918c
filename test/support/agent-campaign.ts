// How long the campaign against the agent is: short in every run, whole when it is asked for by hand.
const whole = (name: string, standard: number): number => Number(process.env[name] ?? standard);

const kills = whole('AGENT_KILLS', 8);
const events = whole('AGENT_KILL_EVENTS', 400);

export const agentCampaign = { kills, events, timeoutMs: 120_000 + kills * 20_000 + events * 20 };
