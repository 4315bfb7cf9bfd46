/** The path below which all screens of the console are. */
const BASE = '/console';

/** The path of the current screen without `/console`, such as `/cases/42`; `/` for the first screen. */
export function path(): string {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '');
  return path === '' ? '/' : path;
}

/** The address of a screen with these path segments, which are escaped here. */
export function addressOf(...steps: string[]): string {
  return [BASE, ...steps.map(encodeURIComponent)].join('/');
}

/** Goes to a screen. The browser's back button returns to the current one. */
export function navigate(address: string): void {
  history.pushState(null, '', address);
  window.dispatchEvent(new Event('acp-route'));
}

/** Goes to a screen, which replaces the current one in the history of the browser. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address);
  window.dispatchEvent(new Event('acp-route'));
}

/** Lets links to other screens of the console change the screen without loading a new page. */
export function interceptLinks(): void {
  document.addEventListener('click', event => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    const link = (event.target as HTMLElement).closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin || !(link.pathname + '/').startsWith(BASE + '/')) {
      return;
    }
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
  window.addEventListener('popstate', () => window.dispatchEvent(new Event('acp-route')));
}
