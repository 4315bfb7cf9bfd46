/** The addresses of the console, below `/console`. */
const BASE = '/console';

export function path(): string {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '');
  return path === '' ? '/' : path;
}

/** The address of a place in the console. */
export function at(...steps: string[]): string {
  return [BASE, ...steps.map(encodeURIComponent)].join('/');
}

/** Goes there, as a link would. */
export function go(address: string): void {
  history.pushState(null, '', address);
  window.dispatchEvent(new Event('acp-route'));
}

/** Goes there in place of where one is. */
export function goInstead(address: string): void {
  history.replaceState(null, '', address);
  window.dispatchEvent(new Event('acp-route'));
}

/** Follows links to other places of the console without loading the page anew. */
export function followLinks(): void {
  document.addEventListener('click', event => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    const link = (event.target as HTMLElement).closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin || !(link.pathname + '/').startsWith(BASE + '/')) {
      return;
    }
    event.preventDefault();
    go(link.pathname + link.search);
  });
  window.addEventListener('popstate', () => window.dispatchEvent(new Event('acp-route')));
}
