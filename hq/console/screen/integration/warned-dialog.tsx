import { Alert } from 'antd';
import type { ComponentProps } from 'react';
import { FormDialog } from './form-dialog.tsx';

/** Says what a step takes away before it is done. @param why what that is */
export function WarnedDialog({
  why,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog<object>>, 'children' | 'danger'> & { why: string }) {
  return (
    <FormDialog {...dialog} danger>
      <Alert type="warning" showIcon title={why} />
    </FormDialog>
  );
}
