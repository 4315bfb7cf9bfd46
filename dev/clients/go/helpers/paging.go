package client

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
)

// ErrRepeatedCursor says that a page answered the position that it was asked for: reading on would never end.
var ErrRepeatedCursor = errors.New("a page answered the position that it was asked for")

// Items are those of a list with cursors, each page asked for when the one before is used up. An empty page is not the end; a page that
// cannot be had is the last pair, with its error.
//
//	request := client.NewListCasesRequest()
//	for one, err := range client.Items(func(cursor *string) (*client.CaseList, *http.Response, error) {
//		request.Cursor.Set(cursor)
//		return platform.CasesAPI.ListCases(ctx).ListCasesRequest(*request).Execute()
//	}, (*client.CaseList).GetCases) { … }
func Items[Page interface{ GetNextCursor() string }, Item any](
	list func(cursor *string) (Page, *http.Response, error), items func(Page) []Item) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var none Item
		var cursor *string
		for {
			page, _, err := list(cursor)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range items(page) {
				if !yield(item, nil) {
					return
				}
			}
			next := page.GetNextCursor()
			if next == "" {
				return
			}
			if cursor != nil && *cursor == next {
				yield(none, repeated(next))
				return
			}
			cursor = &next
		}
	}
}

// ItemsAfter are those of a list that is asked for what comes after an item, such as docket entries or events; an empty page is the end.
// list is given nil first, or after, and then the key of each page's last item.
func ItemsAfter[Item any, Key comparable](
	list func(after *Key) ([]Item, error), key func(Item) Key, after *Key) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var none Item
		after := after
		for {
			items, err := list(after)
			if err != nil {
				yield(none, err)
				return
			}
			if len(items) == 0 {
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			last := key(items[len(items)-1])
			if after != nil && *after == last {
				yield(none, repeated(last))
				return
			}
			after = &last
		}
	}
}

func repeated(position any) error {
	return fmt.Errorf("%w, %v", ErrRepeatedCursor, position)
}
