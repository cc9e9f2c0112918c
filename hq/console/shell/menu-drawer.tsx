import { Drawer, Flex } from 'antd';
import { Navigation } from './navigation.tsx';
import { LookChooser } from './preferences.tsx';

/** The navigation where there is no room beside the screen. */
export function MenuDrawer({ open, close }: { open: boolean; close: () => void }) {
  return (
    <Drawer open={open} onClose={close} placement="left" size={280} title="Fieldline">
      <Navigation chosen={close} />
      <Flex className="drawer-foot">
        <LookChooser />
      </Flex>
    </Drawer>
  );
}
