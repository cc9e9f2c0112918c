/** The nonce of the answer that this page came with; empty from Vite's own server, which asks for none. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/**
 * Gives the nonce to every element of style that a script makes. antd hands it on itself, but not where it
 * measures a scroll bar or locks the page behind a dialog. No script runs here but those of the console, so
 * this lets in nothing that the policy keeps out.
 */
export function giveStylesTheNonce(): void {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const made: HTMLElement = create(name, options);
    if (made instanceof HTMLStyleElement) made.nonce = nonce;
    return made;
  };
}
