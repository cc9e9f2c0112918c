// A business system of a test: real HTTP, rows that the test writes, and faults that it orders.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { cursorOf, parsePosition, timeOfMs } from '../../common/dataset/position.ts';
import type { FieldType, FieldValue, WireRow } from '../../common/dataset/schema.ts';

type Fields = Record<string, FieldValue>;
export type Answering = (response: http.ServerResponse, body: string, call: number) => void;

/** 2026-03-01T00:00:00Z, epoch microseconds. */
const BEGIN = 1_772_323_200_000_000;

/** @param micros after the beginning */
export const rowTime = (micros: number): string => microTime(BEGIN + micros);

const microTime = (micros: number): string =>
  `${timeOfMs(Math.floor(micros / 1000)).slice(0, 23)}${String(micros % 1000).padStart(3, '0')}Z`;

export const MODEL_FIELDS: Record<string, Record<string, FieldType>> = {
  projects: { code: 'string', name: 'string', status: 'integer', health_score: 'integer' },
  wbs_nodes: {
    project_id: 'integer',
    parent_id: 'integer',
    plan_progress: 'decimal',
    actual_progress: 'decimal',
  },
  milestones: { project_id: 'integer', code: 'string', name: 'string', status: 'integer' },
  ncrs: { project_id: 'integer', code: 'string', title: 'string', level: 'integer', closed: 'boolean' },
  hazards: {
    project_id: 'integer',
    title: 'string',
    level: 'integer',
    major: 'boolean',
    site_ref: 'string',
    event_id: 'integer',
    occurred_at: 'time',
  },
  purchase_orders: {
    project_id: 'integer',
    milestone_id: 'integer',
    critical_path: 'boolean',
    required_on: 'date',
    expected_on: 'date',
    received: 'boolean',
  },
};

export class DatasetSource {
  /** Declared fields by dataset. */
  fields: Record<string, Record<string, FieldType>>;
  version = '1';
  /** Rows by dataset and key, as they are now. */
  rows = new Map<string, Map<string, WireRow>>();
  /** Pages answered. */
  calls = 0;
  /** Requests of any kind. */
  heard = 0;
  targets: string[] = [];
  /** Microseconds after the beginning; rises with each row that is put. */
  time = 0;
  /** What the source says is the present; by default always later than every row. */
  asOf: string | null = null;
  /** Sends every row that is left, whatever was asked for. */
  ignoresLimit = false;
  /** Answers pages; replaced to order faults. */
  answering: Answering = (response, body) => void response.end(body);
  /** Replaces a page's rows before they go out. */
  spoil: (items: WireRow[], call: number) => object[] = (items) => items;
  #server = http.createServer((request, response) => this.#handle(request.url ?? '', response));

  constructor(fields: Record<string, Record<string, FieldType>> = MODEL_FIELDS) {
    this.fields = fields;
  }

  /** @param host a loopback address */
  async open(host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve));
    return this;
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** @param micros update time; one more than the last unless given */
  put(dataset: string, pk: number | string, fields: Fields, micros = (this.time += 1)): void {
    this.#table(dataset).set(String(pk), {
      pk: String(pk),
      updated_at: microTime(BEGIN + micros),
      deleted: false,
      ...fields,
    } as WireRow);
  }

  delete(dataset: string, pk: number | string): void {
    this.#table(dataset).set(String(pk), {
      pk: String(pk),
      updated_at: microTime(BEGIN + (this.time += 1)),
      deleted: true,
    } as WireRow);
  }

  live(dataset: string): WireRow[] {
    return [...this.#table(dataset).values()].filter(({ deleted }) => !deleted);
  }

  #table(dataset: string): Map<string, WireRow> {
    const known = this.rows.get(dataset) ?? new Map<string, WireRow>();
    this.rows.set(dataset, known);
    return known;
  }

  #handle(target: string, response: http.ServerResponse): void {
    this.heard += 1;
    const url = new URL(target, 'http://localhost');
    const dataset = url.pathname.split('/')[5];
    response.setHeader('content-type', 'application/json');
    if (dataset === undefined) {
      response.end(
        JSON.stringify({
          datasets: Object.entries(this.fields).map(([key, fields]) => ({
            key,
            schemaVersion: this.version,
            granularity: key,
            updateFrequency: 'always',
            earliest: null,
            fields: Object.entries(fields).map(([name, type]) => ({ name, type, measure: null })),
          })),
        }),
      );
      return;
    }
    this.calls += 1;
    this.targets.push(target);
    this.answering(response, this.#page(dataset, url.searchParams), this.calls);
  }

  #page(dataset: string, query: URLSearchParams): string {
    const cursor = query.get('cursor');
    const given = cursor === null ? '' : cursor.slice(cursor.indexOf('|') + 1);
    // As a database says whose keys are integers.
    if (cursor !== null && !/^\d+$/.test(given)) return `invalid input syntax for type bigint: "${given}"`;
    const after =
      cursor === null ? { updatedAt: '', pk: '' } : (parsePosition(cursor) ?? { updatedAt: '', pk: '' });
    const limit = this.ignoresLimit ? Infinity : Number(query.get('limit'));
    const all = [...this.#table(dataset).values()].sort((a, b) => compare(a, b));
    const rest = all.filter(
      (row) =>
        row.updated_at > after.updatedAt ||
        (row.updated_at === after.updatedAt && keyOrder(row.pk, after.pk) > 0),
    );
    const items = this.spoil(rest.slice(0, limit), this.calls) as WireRow[];
    const last = items.at(-1);
    return JSON.stringify({
      items,
      hasMore: rest.length > limit,
      schemaVersion: this.version,
      asOf: this.asOf ?? microTime(BEGIN + this.time + 3_600_000_000),
      nextCursor: last ? cursorOf({ updatedAt: last.updated_at, pk: last.pk }) : cursor,
    });
  }
}

const keyOrder = (a: string, b: string): number => (b === '' ? 1 : Number(a) - Number(b));
const compare = (a: WireRow, b: WireRow): number =>
  a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : keyOrder(a.pk, b.pk);
