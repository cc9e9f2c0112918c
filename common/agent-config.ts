import * as z from 'zod/mini';
import { ConfigError, httpUrl, pushNetworks, secretReference, wholeNumber } from './config.ts';
import type { Networks } from './http/outbound/address.ts';

/** `true` or `false`, `true` unless given. */
const flag = z._default(
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text: 'true' | 'false') => text === 'true'),
  ),
  true,
);

/** Variables of the agent, the same in both programs (CONFIGURATION.md). */
export const agentVariables = {
  AGENT_ENABLED: flag,
  AGENT_CHANNEL_NETWORKS: pushNetworks,
  AGENT_LINK_URL: z.optional(httpUrl),
  AGENT_LLM_URL: z.optional(httpUrl),
  AGENT_LLM_MODEL: z.optional(z.string().check(z.maxLength(128))),
  AGENT_LLM_KEY_REF: z.optional(secretReference),
  AGENT_LLM_TIMEOUT_MS: wholeNumber(1000, 120000, 20000),
  AGENT_LLM_CALLS_PER_DAY: wholeNumber(1, 10_000_000, 2_000),
  AGENT_LLM_CALLS_PER_HOUR: wholeNumber(1, 1_000_000, 120),
};

export interface AgentConfig {
  enabled: boolean;
  /** Networks that notifications may be sent to. */
  channelNetworks: Networks;
  /** Address of headquarters' pages as readers of messages open them, no slash at its end; null: no links. */
  linkUrl: string | null;
  /** The language model that is asked for summaries; null: none. */
  model: {
    url: string;
    model: string;
    keyRef: string | null;
    timeoutMs: number;
    callsPerDay: number;
    callsPerHour: number;
  } | null;
}

/** @throws ConfigError when what a model needs is incomplete */
export function agentConfigOf(read: z.infer<z.ZodMiniObject<typeof agentVariables>>): AgentConfig {
  const { AGENT_LLM_URL: url, AGENT_LLM_MODEL: model, AGENT_LLM_KEY_REF: keyRef } = read;
  if ((url === undefined) !== (model === undefined))
    throw new ConfigError(['AGENT_LLM_URL and AGENT_LLM_MODEL go together']);
  if (keyRef !== undefined && url === undefined)
    throw new ConfigError(['AGENT_LLM_KEY_REF needs AGENT_LLM_URL']);
  return {
    enabled: read.AGENT_ENABLED,
    channelNetworks: read.AGENT_CHANNEL_NETWORKS,
    linkUrl: read.AGENT_LINK_URL?.replace(/\/+$/, '') ?? null,
    model:
      url === undefined || model === undefined
        ? null
        : {
            url,
            model,
            keyRef: keyRef ?? null,
            timeoutMs: read.AGENT_LLM_TIMEOUT_MS,
            callsPerDay: read.AGENT_LLM_CALLS_PER_DAY,
            callsPerHour: read.AGENT_LLM_CALLS_PER_HOUR,
          },
  };
}
