// Dahua's eventManager.cgi: an answer that does not end, with a record for each thing that happens.
import type { IncomingMessage } from 'node:http';
import { ConnectionFault } from '../connection/fault.ts';
import { DeviceHttp } from '../connection/http.ts';
import type { Connector, Session } from '../connection/session.ts';
import { pathSnapshots } from '../connection/snapshot.ts';
import { headersOf } from './parse.ts';
import { RecordReader } from './records.ts';

const HEARTBEAT_S = 5;
const PATH = `/cgi-bin/eventManager.cgi?action=attach&codes=[All]&heartbeat=${HEARTBEAT_S}`;
const SERIAL_PATH = '/cgi-bin/magicBox.cgi?action=getSerialNo';
/** Older firmwares send no heartbeat: a quiet scene has them connected to anew so often. */
const QUIET_MS = 45_000;

/** There is a device, which does not answer this. */
const UNANSWERED = new Set(['answer_late', 'answer_cut', 'broke_off', 'closed_early', 'device_closed']);

export const eventManager: Connector = {
  quietMs: QUIET_MS,
  async connect(session) {
    const http = new DeviceHttp(session);
    const serial = await serialOf(http);
    const answer = await http.open({ path: PATH, headers: { accept: 'multipart/x-mixed-replace' } });
    session.connected();
    await listen(session, answer, serial);
  },
};

async function listen(session: Session, answer: IncomingMessage, serial: string | null): Promise<void> {
  const fetch = pathSnapshots(session);
  let records: Buffer[] = [];
  const reader = new RecordReader((record) => records.push(record));
  const handOver = async (): Promise<void> => {
    const parts = records.map((body) => ({ headers: { 'content-type': 'text/plain' }, body }));
    records = [];
    if (parts.length === 0) return;
    const bytes = parts.reduce((sum, { body }) => sum + body.length, 0);
    await session.take({ contentType: 'text/plain', headers: headersOf(serial), parts, bytes }, fetch);
  };
  let counted = 0;
  try {
    for await (const bytes of answer as AsyncIterable<Buffer>) {
      session.alive();
      await session.hold(bytes.length);
      reader.push(bytes);
      await handOver();
      session.free(counted + bytes.length - reader.room);
      counted = reader.room;
    }
  } finally {
    answer.destroy();
    // Also where it broke off: what came of the last record is an alarm, or is counted.
    reader.end();
    await handOver();
  }
}

/** By which a camera is known where it is given no other name; null where the device does not tell it. */
async function serialOf(http: DeviceHttp): Promise<string | null> {
  try {
    const { status, body } = await http.send({ path: SERIAL_PATH });
    const told = /^\s*sn\s*=\s*([\w.-]{4,64})/i.exec(body.subarray(0, 512).toString('latin1'));
    return status === 200 ? (told?.[1] ?? null) : null;
  } catch (error) {
    // A device that is slow or odd here may still have its events.
    if (!(error instanceof ConnectionFault)) throw error;
    if (error.condition === 'broken' || UNANSWERED.has(error.fault.code)) return null;
    throw error;
  }
}
