import { lookup } from 'node:dns/promises';
import { redactUrl } from '../../common/http/outbound/redact-url.ts';
import { readKeyText } from '../../common/http/signing/credentials.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Language, say } from '../../common/message.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import { siteMessages } from '../site-messages.ts';
import type { SiteFacts } from '../status/schema.ts';
import { testLink } from '../uplink/link-test.ts';
import { linkNow } from '../uplink/status.ts';
import type { CheckMessages } from './check-messages.ts';
import { type Finding, good, look } from './finding.ts';

interface LinkFacts {
  /** What the running site says; null: none runs. */
  facts: SiteFacts | null;
  w: CheckMessages;
  language: Language;
}

/**
 * The way to headquarters: as the running site finds it, and where that does not work by a try from here. A
 * site that stores needs a look and no more, whatever keeps it from headquarters: `status` says the same.
 */
export async function link(config: SiteConfig, { facts, w, language }: LinkFacts): Promise<Finding[]> {
  if (facts === null || !facts.uplink.enabled)
    return config.uplink && facts ? [look('headquarters', w('notUsedYet'))] : tried(config, { w, language });
  if (linkNow(facts.uplink) === 'up') return [good('headquarters', w('connected'))];
  if (config.uplink) return tried(config, { w, language });
  const failed = facts.uplink.channels.find(({ lastError }) => lastError !== null);
  const fault = (language === 'zh' ? failed?.lastErrorZh : null) ?? failed?.lastError;
  return [look('headquarters', fault ?? w('notAnsweredYet'))];
}

async function tried(
  { uplink, instance, secrets }: SiteConfig,
  { w, language }: Omit<LinkFacts, 'facts'>,
): Promise<Finding[]> {
  if (!uplink) return [good('headquarters', w('noHub'))];
  const { hostname } = new URL(uplink.url);
  let key: SigningKey;
  try {
    key = readKeyText(uplink.keyRef, secrets);
  } catch (error) {
    return [look('key', w('noKey', { fault: (error as Error).message }))];
  }
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    return [look('dns', w('noName', { host: hostname, code: (error as { code?: string }).code ?? '–' }))];
  }
  const client = createHttpClient();
  try {
    const result = await testLink({ client, url: uplink.url, key, instance, now: Date.now() });
    return [
      good('dns', hostname),
      result.ok
        ? good('headquarters', w('hubGood', { url: redactUrl(uplink.url) }))
        : look(
            result.fault.code === 'test_key' ? 'key' : 'headquarters',
            say(siteMessages, result.fault, language),
          ),
    ];
  } finally {
    client.close();
  }
}
