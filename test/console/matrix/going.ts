// Ways from screen to screen, without loading the console anew.
import type { Page } from 'playwright-core';

/** Goes to a screen as a link of the console does, without loading the console anew. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);
}

/** Until all of it has come: its text, and nothing that still turns. */
export async function settled(page: Page, shows: string): Promise<void> {
  await page.locator('#content h1').first().waitFor();
  const content = page.locator('#content');
  await (shows.startsWith('[') ? content.locator(shows) : content.getByText(shows)).first().waitFor();
  await content.locator('.ant-spin-spinning, .ant-skeleton-active').first().waitFor({ state: 'detached' });
}
