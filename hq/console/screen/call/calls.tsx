import { Alert, Card, Col, Flex, Row, Skeleton } from 'antd';
import { AsOf } from '../../page/fault.tsx';
import { Page } from '../../page/page.tsx';
import { useWords } from '../../word/language.tsx';
import { ChoiceForm } from './choice-form.tsx';
import { Devices } from './devices.tsx';
import { useMyCalls } from './queries.ts';
import { words } from './words.ts';

/** What I am told of, and on what. */
export function Calls() {
  const say = useWords(words);
  const mine = useMyCalls();
  return (
    <Page title={say('title')} under={say('under')}>
      <AsOf query={mine} />
      {!mine.data && mine.isPending && <Skeleton active />}
      {mine.data && (
        <>
          {(mine.data.onDuty || mine.data.rotas.length > 0) && (
            <Alert
              type={mine.data.onDuty ? 'warning' : 'info'}
              showIcon
              title={say(mine.data.onDuty ? 'onDuty' : 'inRotas', { rotas: mine.data.rotas.join(', ') })}
            />
          )}
          <Row gutter={[16, 16]}>
            <Col xs={24} xl={10}>
              <Flex vertical gap="middle">
                <Devices mine={mine.data} />
              </Flex>
            </Col>
            <Col xs={24} xl={14}>
              <Card size="small" title={say('choice')}>
                <ChoiceForm mine={mine.data} />
              </Card>
            </Col>
          </Row>
        </>
      )}
    </Page>
  );
}
