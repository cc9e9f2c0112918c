import { createLink } from '@tanstack/react-router';
import { Button } from 'antd';

/** A button that leads to another screen, and is a link: `<LinkButton to="/sites">`. */
export const LinkButton = createLink(Button);
