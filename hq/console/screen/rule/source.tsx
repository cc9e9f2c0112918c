import { Alert, Button, Flex, Form, Input, type InputRef } from 'antd';
import { useRef } from 'react';
import { type ToldFault, toldIn } from '../../page/refusal.ts';
import { useLanguage, useWords } from '../../word/language.tsx';
import { lineOf } from './draft.ts';
import { formWords } from './form-words.ts';
import { words } from './words.ts';

/** The body as JSON; what is wrong is told with its line, and leads to it. */
export function BodySource({
  text,
  change,
  line,
  faults,
}: {
  text: string;
  change: (text: string) => void;
  line: number | null;
  faults: readonly ToldFault[];
}) {
  const say = useWords(words);
  const sayForm = useWords(formWords);
  const { language } = useLanguage();
  const area = useRef<HTMLTextAreaElement | null>(null);
  const goTo = (at: number): void => {
    const lines = text.split('\n');
    const start = lines.slice(0, at - 1).join('\n').length + (at > 1 ? 1 : 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[at - 1]?.length ?? 0));
  };
  const told = [
    ...(line === null ? [] : [{ at: line, text: sayForm('notJson') }]),
    ...faults
      .filter(({ path }) => path.startsWith('body'))
      .map((fault) => ({ at: lineOf(text, fault.path), text: `${fault.path} ${toldIn(fault, language)}` })),
  ];
  return (
    <Form.Item label={say('content')} htmlFor="rule-body">
      <Flex vertical gap="small">
        <Input.TextArea
          id="rule-body"
          ref={(made) => {
            area.current =
              (made as (InputRef & { resizableTextArea?: { textArea: HTMLTextAreaElement } }) | null)
                ?.resizableTextArea?.textArea ?? null;
          }}
          className="rule-body"
          spellCheck={false}
          rows={16}
          value={text}
          status={told.length > 0 ? 'error' : ''}
          onChange={({ target }) => change(target.value)}
        />
        {told.map((one) => (
          <Alert
            key={one.text}
            type="error"
            title={
              <>
                {one.at !== null && (
                  <Button size="small" type="link" onClick={() => goTo(one.at as number)}>
                    {sayForm('line', { line: one.at })}
                  </Button>
                )}
                <span className="wraps">{one.text}</span>
              </>
            }
          />
        ))}
      </Flex>
    </Form.Item>
  );
}
