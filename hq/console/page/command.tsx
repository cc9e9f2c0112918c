import { Typography } from 'antd';

/** What is typed somewhere else, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <Typography.Text code copyable={{ text }} className="command">
      {text}
    </Typography.Text>
  );
}
