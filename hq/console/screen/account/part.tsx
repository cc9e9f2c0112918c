import { Flex, Typography } from 'antd';
import type { ReactNode } from 'react';

/** One of several ways within a card. @param under what it is for */
export function Part({ title, under, children }: { title: string; under: string; children: ReactNode }) {
  return (
    <Flex vertical gap="small" align="start">
      <Typography.Title level={2} className="part-title">
        {title}
      </Typography.Title>
      <span className="quiet">{under}</span>
      {children}
    </Flex>
  );
}
