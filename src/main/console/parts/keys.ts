const SINGLE = 'acp.keys';

/** Whether keys without a modifier lead through the console. Whoever speaks to the computer, or hits keys unawares, turns them off (WCAG 2.1.4). */
export const singleKeys = (): boolean => localStorage.getItem(SINGLE) !== 'off';

export function useSingleKeys(isOn: boolean): void {
  localStorage.setItem(SINGLE, isOn ? 'on' : 'off');
}

/** Whether a key is one that leads through the console, and not one that is written or chosen with. */
export const isSingleKey = (event: KeyboardEvent): boolean => singleKeys() && !event.ctrlKey && !event.metaKey && !event.altKey
  && !(event.target as HTMLElement).closest('input, textarea, select, dialog');
