/** The element of the page's content that had the focus last, followed by its ancestors. */
let path: HTMLElement[] = [];

const forget = () => {
  path = [];
};

/** Records which element has the focus. A user who clicks elsewhere or presses Tab leaves that element on purpose. */
export function trackFocus(): void {
  document.addEventListener('pointerdown', forget, true);
  // Within a modal dialog, Tab moves the focus inside the dialog, so the element that opened it is still the one to return to.
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
  document.addEventListener('close', () => requestAnimationFrame(() => setTimeout(restoreFocus)), true);
}

/**
 * An act often removes the button that it was done with. The browser then focuses nothing, and a screen reader begins at the top of the page. So the focus
 * moves to the nearest ancestor of the button that is still there.
 */
export function restoreFocus(): void {
  // A button is disabled while it waits for an answer, and gets the focus back afterwards.
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
