/** Those whose size is watched. */
const watched = new WeakSet<Element>();
const sizes = new ResizeObserver(changes => changes.forEach(change => scroll(change.target)));

/** On a narrow page a row of parts reaches over its edge: it is scrolled so that the part that is shown is in sight, now and when the page gets another width. */
export function keepInSight(row: Element | undefined): void {
  if (!row) {
    return;
  }
  if (watched.has(row)) {
    // Where the parts stand is known without more work once the frame is laid out.
    requestAnimationFrame(() => scroll(row));
  } else {
    watched.add(row);
    // This also tells its first size.
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
