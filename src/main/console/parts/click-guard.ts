/** The longest time between press and release for which updates of the page wait. It is long, because some users press slowly. */
const PRESSED_MILLIS_MAX = 2000;
const CLICKED = 'a, button, summary, label, select, input[type=checkbox], input[type=radio]';

let released: Promise<void> | undefined;

/**
 * While the mouse button or the finger is down on a clickable element: a promise that is fulfilled after the click was handled. Otherwise undefined.
 */
export const pendingClick = (): Promise<void> | undefined => released;

/**
 * Makes clicks reliable in two ways.
 *
 * A browser reports no click if the element moved away between press and release. That happens when a field loses the focus to the press, and its
 * error message moves what is below. So updates wait for {@link pendingClick}.
 *
 * The second click of a double click and the repetitions of a key held down do not submit a form again.
 */
export function protectClicks(): void {
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
      // The browser handles the click in the same task as the release, so the next task comes after it.
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
