import type { SiteConfig } from '../config.ts';

/** What of the configuration is put to use while the site runs. */
type Changing = Pick<SiteConfig, 'logLevel' | 'cameraSilentHours' | 'backupAlarmDays'>;
const CHANGING = ['logLevel', 'cameraSilentHours', 'backupAlarmDays'] as const satisfies (keyof Changing)[];

/** An object with the members of `first`, each as `current` has it whenever it is read. */
function following<T extends object>(first: T, current: () => T, names = Object.keys(first)): T {
  const members = names.map((name) => [name, { enumerable: true, get: () => current()[name as keyof T] }]);
  return Object.defineProperties({ ...first }, Object.fromEntries(members) as PropertyDescriptorMap);
}

/**
 * The configuration of a running site: who keeps it, or an object of it, reads what is in use by then. Only
 * what headquarters may set changes; all else is as it was read at the start.
 */
export function liveConfig(first: SiteConfig, current: () => SiteConfig): SiteConfig {
  const { uplink, agent } = first;
  const { model } = agent;
  const whole = {
    ...first,
    evidence: following(first.evidence, () => current().evidence),
    retention: following(first.retention, () => current().retention),
    uplink: uplink && following(uplink, () => current().uplink ?? uplink),
    agent: { ...agent, model: model && following(model, () => current().agent.model ?? model) },
  };
  return Object.freeze(following(whole, () => ({ ...whole, ...changing(current()) }), CHANGING));
}

const changing = ({ logLevel, cameraSilentHours, backupAlarmDays }: Changing): Changing => ({
  logLevel,
  cameraSilentHours,
  backupAlarmDays,
});

/** `first` with what headquarters may set of it as `read` has it. */
export function withSettings(first: SiteConfig, read: SiteConfig): SiteConfig {
  const { uplink, agent } = first;
  const model = agent.model && {
    ...agent.model,
    timeoutMs: read.agent.model?.timeoutMs ?? agent.model.timeoutMs,
    callsPerDay: read.agent.model?.callsPerDay ?? agent.model.callsPerDay,
    callsPerHour: read.agent.model?.callsPerHour ?? agent.model.callsPerHour,
  };
  return {
    ...first,
    ...changing(read),
    evidence: read.evidence,
    retention: read.retention,
    uplink: uplink && { ...uplink, evidenceKbps: read.uplink?.evidenceKbps ?? null },
    agent: { ...agent, model },
  };
}
