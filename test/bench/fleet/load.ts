// Speaks for many sites at once, in a process of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { serveJobs } from '../jobs.ts';
import { type FleetSite, SpokenFor } from './site.ts';

interface FleetJob {
  port: number;
  sites: FleetSite[];
}

/** Calls in a steady rhythm, spread evenly over the interval. */
export interface CalmJob extends FleetJob {
  kind: 'calm';
  everyMs: number;
  /** One call in so many brings one event; 0: none does. */
  eventEvery: number;
  measureMs: number;
}

/** All sites keep a call open. */
export interface HeldJob extends FleetJob {
  kind: 'held';
  holdMs: number;
  measureMs: number;
}

/** All sites send what waits at them, as fast as they are answered. */
export interface StormJob extends FleetJob {
  kind: 'storm';
  /** Events that wait at each site. */
  waiting: number;
  batch: number;
  withinMs: number;
}

/** All sites call at once, each until it was answered. */
export interface ContactJob extends FleetJob {
  kind: 'contact';
  withinMs: number;
}

export interface FleetResult {
  seconds: number;
  /** Calls that were answered 200. */
  answered: number;
  /** Events that the hub took. */
  events: number;
  p50: number;
  p99: number;
  max: number;
  /** Other answers by status and code; 0 where the connection broke. */
  refused: Record<string, number>;
  /** When the first and the last site had nothing left, seconds. */
  firstDone: number;
  lastDone: number;
  /** Processor time of the program that speaks for the sites, ms. */
  speakerMs: number;
  /** When held calls brought decisions, ms since the epoch, in order. */
  brought: number[];
}

/** What a site waits after a refusal that does not say how long, ms. */
const BACKOFF_MS = 1_000;

/** Own addresses that the sites call from: a hub takes half of its connections of one. */
const ADDRESSES = 8;

let fleet: SpokenFor[] = [];
let fleetPort = 0;

/** The same sites go on where they were. */
function sitesOf({ port, sites }: FleetJob): SpokenFor[] {
  if (fleetPort !== port || fleet.length !== sites.length) {
    for (const one of fleet) one.close();
    fleet = sites.map((site, index) => new SpokenFor(port, site, `127.0.0.${1 + (index % ADDRESSES)}`));
    fleetPort = port;
  }
  return fleet;
}

class Tally {
  readonly began = performance.now();
  #usedBefore = process.cpuUsage();
  #times: number[] = [];
  #refused: Record<string, number> = {};
  #done: number[] = [];
  events = 0;
  brought: number[] = [];

  async timed(site: SpokenFor, count: number): Promise<{ ok: boolean; waitMs: number }> {
    const started = performance.now();
    const { status, retryAfter, body } = await site.call(count);
    if (this.note(status, performance.now() - started, body)) {
      this.events += count;
      return { ok: true, waitMs: 0 };
    }
    return { ok: false, waitMs: retryAfter > 0 ? retryAfter * 1000 : BACKOFF_MS };
  }

  /** @returns whether it was answered 200 */
  note(status: number, tookMs: number, body: string): boolean {
    this.#times.push(tookMs);
    const said = status === 0 ? '0' : `${status} ${/"error":"(\w+)"/.exec(body)?.[1] ?? ''}`;
    if (status !== 200) this.#refused[said] = (this.#refused[said] ?? 0) + 1;
    return status === 200;
  }

  done(): void {
    this.#done.push((performance.now() - this.began) / 1000);
  }

  result(): FleetResult {
    const times = this.#times.sort((a, b) => a - b);
    const at = (share: number): number =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    const { user, system } = process.cpuUsage(this.#usedBefore);
    const refusals = Object.values(this.#refused).reduce((sum, count) => sum + count, 0);
    return {
      seconds: (performance.now() - this.began) / 1000,
      answered: times.length - refusals,
      events: this.events,
      ...{ p50: at(0.5), p99: at(0.99), max: at(1) },
      refused: this.#refused,
      brought: this.brought,
      speakerMs: (user + system) / 1000,
      ...{ firstDone: this.#done[0] ?? 0, lastDone: this.#done.at(-1) ?? 0 },
    };
  }
}

async function calm(job: CalmJob): Promise<FleetResult> {
  const sites = sitesOf(job);
  const tally = new Tally();
  const until = tally.began + job.measureMs;
  const keepCalling = async (site: SpokenFor, index: number): Promise<void> => {
    let due = tally.began + (job.everyMs * index) / sites.length;
    for (let call = index; due < until; call += 1) {
      await sleep(Math.max(0, due - performance.now()));
      if (performance.now() >= until) return;
      const brings = job.eventEvery > 0 && call % job.eventEvery === 0;
      await tally.timed(site, brings ? 1 : 0);
      // As a site does: the interval runs from the answer.
      due = Math.max(due + job.everyMs, performance.now());
    }
  };
  await Promise.all(sites.map(keepCalling));
  return tally.result();
}

async function storm(job: StormJob): Promise<FleetResult> {
  const sites = sitesOf(job);
  const tally = new Tally();
  const drain = async (site: SpokenFor): Promise<void> => {
    for (let left = job.waiting; left > 0;) {
      if (performance.now() - tally.began > job.withinMs) throw new Error('the storm took too long');
      const count = Math.min(left, job.batch);
      const { ok, waitMs } = await tally.timed(site, count);
      if (ok) left -= count;
      else await sleep(waitMs);
    }
    tally.done();
  };
  await Promise.all(sites.map(drain));
  return tally.result();
}

async function contact(job: ContactJob): Promise<FleetResult> {
  const sites = sitesOf(job);
  const tally = new Tally();
  const call = async (site: SpokenFor): Promise<void> => {
    for (;;) {
      const { ok, waitMs } = await tally.timed(site, 0);
      if (ok) break;
      if (performance.now() - tally.began > job.withinMs) throw new Error('the first calls took too long');
      await sleep(waitMs);
    }
    tally.done();
  };
  await Promise.all(sites.map(call));
  return tally.result();
}

async function held(job: HeldJob): Promise<FleetResult> {
  const sites = sitesOf(job);
  const tally = new Tally();
  const until = tally.began + job.measureMs;
  const keepHolding = async (site: SpokenFor, index: number): Promise<void> => {
    // Spread, as the calls of sites are that began at different times.
    await sleep((job.holdMs * index) / sites.length);
    while (performance.now() < until) {
      const left = Math.min(job.holdMs, until - performance.now());
      const began = performance.now();
      const { status, news, body } = await site.hold(Math.max(0, Math.floor(left)));
      tally.note(status, performance.now() - began, body);
      if (news) tally.brought.push(Date.now());
    }
  };
  await Promise.all(sites.map(keepHolding));
  return tally.result();
}

serveJobs((job: CalmJob | HeldJob | StormJob | ContactJob) => {
  if (job.kind === 'held') return held(job);
  if (job.kind === 'contact') return contact(job);
  return job.kind === 'calm' ? calm(job) : storm(job);
});
