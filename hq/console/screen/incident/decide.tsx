import { Card, Col, Form, Modal, Row, Skeleton } from 'antd';
import { useWords } from '../../word/language.tsx';
import { TypeNames } from '../event/type-name.tsx';
import { type Said, useConfirm, useSplit, useUnmerge } from './deciding.ts';
import { decisionWords } from './decision-words.ts';
import { NoteField } from './merge.tsx';
import { GroupPreview } from './preview.tsx';
import { type Incident, type Member, sizeOf, useIncident } from './queries.ts';
import { words } from './words.ts';

interface Common {
  group: Incident;
  close: () => void;
}

export function ConfirmDialog({ group, close }: Common) {
  const say = useWords(decisionWords);
  const sayWord = useWords(words);
  const [form] = Form.useForm<Said>();
  const { run, pending } = useConfirm(group, close);
  return (
    <Modal
      open
      title={say('confirmTitle', { id: group.id })}
      okText={sayWord('confirm')}
      cancelText={say('leave')}
      confirmLoading={pending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form form={form} layout="vertical" onFinish={run} disabled={pending}>
        <Form.Item>
          <GroupPreview group={group} what={say('confirmMeans')} />
        </Form.Item>
        <NoteField />
      </Form>
    </Modal>
  );
}

/**
 * @param leaving members that become a new group
 * @param staying those that are left, as far as they are shown
 */
export function SplitDialog({
  group,
  leaving,
  staying,
  close,
}: Common & { leaving: readonly Member[]; staying: readonly Member[] }) {
  const say = useWords(decisionWords);
  const sayWord = useWords(words);
  const [form] = Form.useForm<Said>();
  const { run, pending } = useSplit(
    group,
    leaving.map(({ eventId }) => eventId),
    close,
  );
  return (
    <Modal
      open
      width={720}
      title={say('splitTitle', { id: group.id })}
      okText={sayWord('splitOff', { count: leaving.length })}
      cancelText={say('leave')}
      confirmLoading={pending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form form={form} layout="vertical" onFinish={run} disabled={pending}>
        <Row gutter={[12, 12]}>
          <Col xs={24} md={12}>
            <Part
              title={say('stays', { id: group.id })}
              tenant={group.tenantCode}
              members={staying}
              count={sizeOf(group) - leaving.length}
            />
          </Col>
          <Col xs={24} md={12}>
            <Part title={say('leaves')} tenant={group.tenantCode} members={leaving} count={leaving.length} />
          </Col>
        </Row>
        <NoteField />
      </Form>
    </Modal>
  );
}

/** As many events as a part names one by one. */
const SHOWN = 8;

interface PartProps {
  title: string;
  tenant: string;
  members: readonly Member[];
  count: number;
}

function Part({ title, tenant, members, count }: PartProps) {
  const say = useWords(decisionWords);
  return (
    <Card size="small" title={title} extra={say('events', { count })}>
      {members.slice(0, SHOWN).map(({ eventId, event }) => (
        <div key={eventId} className="wrap">
          <span className="quiet number">{eventId}</span>{' '}
          {event && <bdi>{event.title ?? <TypeNames tenant={tenant} types={[event.type]} />}</bdi>}
        </div>
      ))}
      {count > Math.min(members.length, SHOWN) && <span className="quiet">…</span>}
    </Card>
  );
}

/** Takes a group that was merged away out of the one that has its events now. */
export function UnmergeDialog({ group, from, close }: Common & { from: number }) {
  const say = useWords(decisionWords);
  const sayWord = useWords(words);
  const [form] = Form.useForm<Said>();
  const target = useIncident(from).data?.pages[0];
  const { run, pending } = useUnmerge(close);
  return (
    <Modal
      open
      width={720}
      title={say('unmergeTitle', { id: group.id })}
      okText={sayWord('unmerge')}
      cancelText={say('leave')}
      confirmLoading={pending}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <Form
        form={form}
        layout="vertical"
        onFinish={(input: Said) => run({ id: group.id, ...input })}
        disabled={pending}
      >
        <Row gutter={[12, 12]}>
          <Col xs={24} md={12}>
            <GroupPreview group={group} what={say('comesBack', { id: group.id })} />
          </Col>
          <Col xs={24} md={12}>
            {target ? (
              <GroupPreview group={target} what={say('givesBack', { id: from })} />
            ) : (
              <Skeleton active paragraph={{ rows: 2 }} />
            )}
          </Col>
        </Row>
        <NoteField />
      </Form>
    </Modal>
  );
}
