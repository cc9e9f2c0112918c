import { Descriptions, type DescriptionsProps } from 'antd';

/** Facts about one thing, in two columns where there is room; long values break, their names do not. */
export function FactTable({ items }: { items: NonNullable<DescriptionsProps['items']> }) {
  return (
    <Descriptions column={{ xs: 1, lg: 2 }} bordered size="small" items={items} className="breaks facts" />
  );
}
