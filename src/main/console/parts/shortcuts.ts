const SINGLE = 'acp.keys';

/** Whether shortcuts of a single key are on. Users of speech input, and users who press keys by accident, can turn them off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => localStorage.getItem(SINGLE) !== 'off';

/** Turns shortcuts of a single key on or off. */
export function setShortcuts(isOn: boolean): void {
  localStorage.setItem(SINGLE, isOn ? 'on' : 'off');
}

/** Whether a key press is a shortcut, and not input into a field or a choice in a dialog. */
export const isShortcut = (event: KeyboardEvent): boolean => areShortcutsOn() && !event.ctrlKey && !event.metaKey && !event.altKey
  && !(event.target as HTMLElement).closest('input, textarea, select, dialog');
