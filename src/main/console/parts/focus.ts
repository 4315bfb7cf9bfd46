/** What had the focus last in the content of the page, and after it what that is in, from the inside out. */
let path: HTMLElement[] = [];

const forget = () => {
  path = [];
};

/** Notes where the focus is. Whoever presses somewhere with the mouse, or Tab, leaves that on purpose. */
export function followFocus(): void {
  document.addEventListener('pointerdown', forget, true);
  // In a dialog that stands over the whole page Tab leads to what the dialog has, and not away from where it was opened.
  document.addEventListener('keydown', event => event.key === 'Tab' && !document.querySelector('dialog:modal:not(main dialog)') && forget(), true);
  document.addEventListener('focusin', event => {
    const at = event.target as HTMLElement;
    if (at.closest('main') || !at.closest('dialog')) {
      forget();
    }
    for (let one = at.closest<HTMLElement>('main *'); one; one = one.parentElement?.closest<HTMLElement>('main, main *') ?? null) {
      path.push(one);
    }
  });
  // The focus leaves a closed dialog when the page is painted, or when the dialog is removed.
  document.addEventListener('close', () => requestAnimationFrame(() => setTimeout(keepFocus)), true);
}

/**
 * An act often takes away the button that it was done with, and the browser then has the focus nowhere: a screen reader begins at the top of the page. So the focus
 * goes to the innermost of what the button was in that is still there.
 */
export function keepFocus(): void {
  // A button that waits for an answer is disabled, and gets the focus back when it is not.
  if (path.length === 0 || document.activeElement !== document.body || !document.hasFocus() || path[0]?.matches(':disabled') && path[0].isConnected) {
    return;
  }
  const place = path.find(one => one.isConnected && one.checkVisibility());
  if (place && place.tabIndex < 0 && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), {once: true});
  }
  place?.focus({preventScroll: true});
}
