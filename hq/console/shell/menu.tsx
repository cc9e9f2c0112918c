import {
  ApiOutlined,
  AuditOutlined,
  BarChartOutlined,
  BookOutlined,
  CheckSquareOutlined,
  ClusterOutlined,
  DatabaseOutlined,
  EnvironmentOutlined,
  GroupOutlined,
  PartitionOutlined,
  PhoneOutlined,
  RocketOutlined,
  SettingOutlined,
  ToolOutlined,
  VideoCameraOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import type { Permission } from '../session/session.tsx';
import type { PlainKey } from '../word/catalogue.ts';
import type { words } from './words.ts';

/** An entry of the navigation: the words for it, and what a user needs one of to see it. */
export interface MenuEntry {
  to: string;
  word: PlainKey<typeof words>;
  icon?: ReactNode;
  /** Any of them shows it; none: everyone sees it. */
  needs: readonly Permission[];
  /** Under which heading it stands. */
  under?: 'work';
}

/** Who may see alarms comes there too, by the count of them, without an entry of their own. */
export const adminNeeds: readonly Permission[] = [
  'users.manage',
  'policy.manage',
  'channels.manage',
  'audit.view',
  'operation.view',
];

/**
 * In the order of the navigation: Now, Sites, Upgrades, Plans, Work (Review, Events, Incidents, Tasks), Duty,
 * Rules, Library, Reports, Integration, Data, Admin. A screen that is to be found here has its line.
 */
export const menu: readonly MenuEntry[] = [
  { to: '/now', word: 'now', icon: <CheckSquareOutlined />, needs: ['events.view'] },
  { to: '/sites', word: 'sites', icon: <ClusterOutlined />, needs: ['uplink.view', 'events.view'] },
  { to: '/upgrades', word: 'upgrades', icon: <RocketOutlined />, needs: ['releases.manage'] },
  { to: '/plans', word: 'plans', icon: <EnvironmentOutlined />, needs: ['events.view'] },
  { to: '/review', word: 'review', icon: <AuditOutlined />, needs: ['events.view'], under: 'work' },
  { to: '/events', word: 'events', icon: <VideoCameraOutlined />, needs: ['events.view'], under: 'work' },
  { to: '/incidents', word: 'incidents', icon: <GroupOutlined />, needs: ['events.view'], under: 'work' },
  { to: '/tasks', word: 'tasks', icon: <ToolOutlined />, needs: ['events.view'], under: 'work' },
  { to: '/duty', word: 'duty', icon: <PhoneOutlined />, needs: ['duty.view'] },
  { to: '/rules', word: 'rules', icon: <PartitionOutlined />, needs: ['rules.view'] },
  { to: '/library', word: 'library', icon: <BookOutlined />, needs: ['policy.view'] },
  { to: '/reports', word: 'reports', icon: <BarChartOutlined />, needs: ['knowledge.view', 'stats.view'] },
  { to: '/integration', word: 'integration', icon: <ApiOutlined />, needs: ['integration.view'] },
  {
    to: '/data',
    word: 'data',
    icon: <DatabaseOutlined />,
    needs: ['integration.view', 'subscriptions.view'],
  },
  { to: '/admin', word: 'admin', icon: <SettingOutlined />, needs: adminNeeds },
];

/** What of the navigation a user sees. */
export const menuFor = (can: (permission: Permission) => boolean): MenuEntry[] =>
  menu.filter(({ needs }) => needs.length === 0 || needs.some(can));
