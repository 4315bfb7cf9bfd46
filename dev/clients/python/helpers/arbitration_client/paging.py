"""Lists, read page by page while they are used."""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Optional, Protocol, TypeVar, Union, overload


class RepeatedCursorError(RuntimeError):
    """A page answered the position that it was asked for: reading on would never end."""


class _Page(Protocol):
    @property
    def next_cursor(self) -> Optional[str]: ...


Page = TypeVar("Page", bound=_Page)
Item = TypeVar("Item")
Key = TypeVar("Key")


@overload
def items(page_at: Callable[[Optional[str]], Page], of_page: Callable[[Page], List[Item]]) -> Iterator[Item]: ...


@overload
def items(page_at: Callable[[Optional[str]], Page], of_page: str) -> Iterator[Any]: ...


def items(page_at: Callable[[Optional[str]], Page], of_page: Union[str, Callable[[Page], List[Any]]]) -> Iterator[Any]:
    """The items of a list with cursors, each page asked for when its first item is wanted. An empty page is not the end.

    ``items(lambda cursor: cases.list_cases(ListCasesRequest(cursor=cursor)), "cases")``, or with ``lambda page: page.cases``, so that the
    items have a type. ``page_at`` is given None, and then each ``next_cursor``.
    """
    cursor: Optional[str] = None
    while True:
        page = page_at(cursor)
        yield from getattr(page, of_page) if isinstance(of_page, str) else of_page(page)
        after = page.next_cursor
        if after is None:
            return
        _advanced(after, cursor)
        cursor = after


def items_after(items_from: Callable[[Optional[Key]], List[Item]], key: Callable[[Item], Key], after: Optional[Key] = None) -> Iterator[Item]:
    """The items of a list that is asked for what comes after an item, such as the entries of a docket; an empty page is the end.

    ``items_after(lambda after: events.list_events(ListEventsRequest(after_sequence=after)).events, lambda event: event.sequence)``.
    ``items_from`` is given ``after``, and then the key of each page's last item.
    """
    while True:
        page = items_from(after)
        yield from page
        if not page:
            return
        last = key(page[-1])
        _advanced(last, after)
        after = last


def _advanced(position: Any, asked: Any) -> None:
    if position == asked:
        raise RepeatedCursorError(f"a page answered the position that it was asked for, {position}")
