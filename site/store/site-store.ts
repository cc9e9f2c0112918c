import type { Clock } from '../../common/clock.ts';
import type { Severity } from '../../common/core/event/schema.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { DiskProbe } from '../../common/disk-space.ts';
import type { Logger } from '../../common/log.ts';
import type { IndexSource } from '../../common/policy/index/change.ts';
import type { CarePort } from '../care/port.ts';
import type { DevicePort } from '../intake/port.ts';
import type { LibraryPort } from '../policy/port.ts';
import type { EvictionPort } from '../retention/port.ts';
import type { Salvage } from '../salvage/salvage.ts';
import type { SettingsPort } from '../settings/port.ts';
import type { ClockMarks, HistoryPort } from '../status/port.ts';
import type { UpgradePort } from '../upgrade/port.ts';
import type { ChangePort } from '../uplink/changes/port.ts';
import type { EvidenceWantPort } from '../uplink/evidence/port.ts';
import type { GroupOrderPort } from '../uplink/group-order/port.ts';
import type { InboxPort } from '../uplink/inbox/port.ts';
import type { HandoverPort } from '../uplink/notification/port.ts';
import type { OrderPort } from '../uplink/order/port.ts';
import type { UplinkStatePort } from '../uplink/port.ts';
import type { CheckpointLimits } from './engine/checkpoint.ts';
import type { RestoredNote } from './engine/restored-note.ts';
import type { LostStore } from './engine/store-note.ts';
import type { ReadLayer, SyncLayer } from './engine/sync.ts';
import type { EventIndex, EventIndexLimits } from './event-index/event-index.ts';
import type { BeforeStatement } from './health/connection.ts';
import type { IntegrityView, PassedFault } from './health/health.ts';
import type { KeyIndexLimits } from './key-index/key-index.ts';
import type { Migration, Upgrade } from './migrate.ts';

export interface StoreFacts {
  /** WAL bytes in use; the file keeps its size and is written over. */
  walBytes: number;
  dbBytes: number;
  /** Of them, what deleted rows have freed and later ones will fill. */
  dbFreeBytes: number;
  /** Transactions, the operations in them, and syncs of the WAL, since the store was opened. */
  commits: number;
  operations: number;
  syncs: number;
  checkpoints: number;
  /** Written to the WAL since the store was opened. */
  walBytesWritten: number;
  /** Idempotency keys that are not yet in the key index table. */
  keysInMemory: number;
  /** Newest events that lists and statistics read row by row. */
  eventsBeyondIndex: number;
}

export interface SiteStore extends Stores {
  uplink: UplinkStatePort;
  evidenceWants: EvidenceWantPort;
  /** What goes up beside events. */
  changes: ChangePort;
  handover: HandoverPort;
  /** Of headquarters, on tasks here. */
  inbox: InboxPort;
  orders: OrderPort;
  groupOrders: GroupOrderPort;
  /** Of headquarters, to look at something or to do it. */
  care: CarePort;
  /** The policies in force of the site's tenants, and what search indexes follow of them. */
  libraries: LibraryPort;
  librarySource: IndexSource;
  /** What headquarters has set here. */
  settings: SettingsPort;
  /** The version that headquarters wants here, and how far it is. */
  upgrade: UpgradePort;
  /** For retention, which tells it of the events that it removes. */
  eventIndex: EventIndex;
  history: HistoryPort;
  devices: DevicePort;
  eviction: EvictionPort;
  clockMarks: ClockMarks;
  integrity(): IntegrityView;
  /**
   * The slow reading of every row begins, and from now on the files are looked at when the disk fails;
   * `close` ends both. @param onPassed told of faults that have passed
   */
  startHealth(onPassed?: (fault: PassedFault) => Promise<void>): void;
  /**
   * What had to be done to open it. `passed`: damage that was found before and turned out to be none. `lost`:
   * there was a store before this one, and it is gone.
   */
  opened: {
    salvaged: Salvage | null;
    passed: string | null;
    lost: LostStore | null;
    upgrade: Upgrade | null;
    /** It was put in the place of another one on purpose. */
    restored: RestoredNote | null;
  };
  /** A person was told of the lost store; until then every start tells of it. */
  clearLossNote(): void;
  /** The same for a store that was restored. */
  clearRestoredNote(): Promise<void>;
  /**
   * A new epoch, whose event ids continue after the store's own head and `nextIdAfter`. @returns the epoch
   */
  renewEpoch(nextIdAfter: number): Promise<string>;
  facts(): StoreFacts;
  /**
   * `probe`, but only where no write of the last half minute shows already that the disk takes them: who asks
   * often must not wear it. @throws as `probe`
   */
  seemsWritable(): Promise<void>;
  /**
   * Resolves with the cause when the disk refused a sync. No write succeeds from then on and `close` leaves
   * the files as they are. The process must end by SIGKILL: an orderly exit would let SQLite copy the WAL,
   * which can no longer be trusted to read back as written, and drop it.
   */
  failed: Promise<Error>;
}

export interface OpenOptions {
  /** Created when missing. */
  dir: string;
  clock: Clock;
  log: Logger;
  sync?: SyncLayer;
  checkpoint?: CheckpointLimits;
  keyIndex?: KeyIndexLimits;
  eventIndex?: EventIndexLimits;
  migrations?: readonly Migration[];
  probe?: DiskProbe;
  /** Files of events of this severity or above are offered to headquarters; null, and left out: none. */
  offerEvidenceFrom?: Severity | null;
  /** A preview of the first picture of each alert goes to headquarters. */
  previews?: boolean;
  /** Before the first reading of every row, ms. */
  integrityAfterMs?: number;
  reads?: ReadLayer;
  beforeStatement?: BeforeStatement;
  /** Pauses between looks at a disk that fails, ms. */
  faultPausesMs?: readonly number[];
}
