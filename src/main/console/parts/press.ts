/** Whoever presses for longer does not click: some hands are slow. */
const PRESSED_MILLIS_MAX = 2000;
const CLICKED = 'a, button, summary, label, select, input[type=checkbox], input[type=radio]';

let released: Promise<void> | undefined;

/** What ends when the button of the mouse, or the finger, that is down on something to click is up again and the click was carried out; undefined while nothing is pressed. */
export const press = (): Promise<void> | undefined => released;

/**
 * Lets nothing move away between the press and the release of a click, since the browser would take them for no click: to leave a field shows what is wrong with it, and
 * what is below moves. Lets the second click of a double click, and a key that is held down, not send a form once more.
 */
export function guardClicks(): void {
  document.addEventListener('pointerdown', event => {
    if (!(event.target as Element).closest(CLICKED)) {
      return;
    }
    const held = new Promise<void>(resolve => {
      const end = () => {
        removeEventListener('pointerup', up, true);
        removeEventListener('pointercancel', end, true);
        clearTimeout(timer);
        if (released === held) {
          released = undefined;
        }
        resolve();
      };
      // The click comes after the release, in the same task.
      const up = () => setTimeout(end);
      const timer = setTimeout(end, PRESSED_MILLIS_MAX);
      addEventListener('pointerup', up, true);
      addEventListener('pointercancel', end, true);
    });
    released = held;
  }, true);
  document.addEventListener('click', event => {
    const button = (event.target as Element).closest('button');
    if (event.detail > 1 && button?.form && button.type === 'submit') {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);
  document.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.repeat && (event.target as Element).matches('input, button')) {
      event.preventDefault();
    }
  }, true);
}
