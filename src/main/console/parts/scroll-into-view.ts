/** The rows whose size is observed. */
const watched = new WeakSet<Element>();
const sizes = new ResizeObserver(changes => changes.forEach(change => scroll(change.target)));

/** On a narrow page a row of tabs is wider than the page. Scrolls it so that the current tab is visible, now and whenever the width of the page changes. */
export function scrollToCurrentTab(row: Element | undefined): void {
  if (!row) {
    return;
  }
  if (watched.has(row)) {
    // The positions are known without a further layout once the frame is laid out.
    requestAnimationFrame(() => scroll(row));
  } else {
    watched.add(row);
    // The observer also reports the first size.
    sizes.observe(row);
  }
}

function scroll(row: Element): void {
  const shown = row.querySelector('[aria-current]')?.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  if (shown && (shown.left < box.left || shown.right > box.right)) {
    row.scrollBy({left: shown.left + shown.width / 2 - box.left - box.width / 2});
  }
}
