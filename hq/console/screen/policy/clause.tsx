import { Link } from '@tanstack/react-router';
import { Card, Descriptions, Flex, Tag, Typography } from 'antd';
import { useWords } from '../../word/language.tsx';
import type { Eyes } from './eyes.ts';
import { Checked, Level, useValidity } from './marks.tsx';
import { OriginalLink } from './original.tsx';
import { type Check, type Hit, useFile } from './queries.ts';
import { words } from './words.ts';

/** The stored text of a clause, whether it may be cited, and the way to the original. */
export function Clause({ eyes, hit, check }: { eyes: Eyes; hit: Hit; check: Check | undefined }) {
  const say = useWords(words);
  const validity = useValidity();
  const file = useFile(eyes, hit.docId, true).data;
  const { clausePath, title, docNo, version, page, text, docId, explain, twins } = hit;
  const cited = [docNo, title, version, clausePath].filter((one) => one !== null).join(' · ');
  return (
    <Card
      size="small"
      className="clause"
      title={<span className="wraps">{clausePath ?? say('unplaced')}</span>}
      extra={<Checked reason={check} />}
    >
      <Flex vertical gap="middle">
        <div className="quiet wraps">
          {docNo && <>{docNo} · </>}
          {title} · {say('version')} {version}
        </div>
        <section aria-label={say('storedText')} className="clause-text">
          {text}
        </section>
        <span className="quiet">{say('storedNote')}</span>
        <Flex gap="middle" wrap align="center">
          {file && file.originalStoredAt !== null ? (
            <OriginalLink eyes={eyes} docId={docId} page={page} />
          ) : (
            file && (
              <span className="quiet">{say(file.sha256 === null ? 'noOriginal' : 'originalComing')}</span>
            )
          )}
          <Link to="/library/files/$doc" params={{ doc: String(docId) }} search={{ tenant: eyes.tenant }}>
            {say('toFile')}
          </Link>
          <Typography.Text copyable={{ text: `${cited}\n${text}`, tooltips: [say('copy'), false] }} />
        </Flex>
        <Descriptions
          size="small"
          column={1}
          items={[
            { key: 'validity', label: say('validity'), children: validity(hit) },
            ...(twins.length === 0
              ? []
              : [
                  {
                    key: 'twins',
                    label: say('twins', { count: twins.length }),
                    children: (
                      <Flex vertical gap={4}>
                        {twins.map((twin) => (
                          <Link
                            key={twin.chunkId}
                            to="/library/files/$doc"
                            params={{ doc: String(twin.docId) }}
                            search={{ tenant: eyes.tenant }}
                            className="wraps"
                          >
                            {twin.title} {twin.clausePath}
                          </Link>
                        ))}
                      </Flex>
                    ),
                  },
                ]),
            { key: 'level', label: say('level'), children: <Level level={hit.securityLevel} /> },
            ...(explain === undefined || explain.matchedTerms.length === 0
              ? []
              : [
                  {
                    key: 'matched',
                    label: say('matched'),
                    children: (
                      <Flex gap={4} wrap>
                        {explain.matchedTerms.slice(0, 12).map(({ term }) => (
                          <Tag key={term}>{term}</Tag>
                        ))}
                      </Flex>
                    ),
                  },
                ]),
          ]}
        />
      </Flex>
    </Card>
  );
}
