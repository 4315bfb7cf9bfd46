// Judges a history of operations on cases by porcupine: whether there is one order of them, in keeping with when each was asked and
// answered, in which each answer is right. Reads a line of JSON for each operation from the file that is named. Exit code 0: there is one
// for every case, 1: a case has none, 2: it could not be decided.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// Operation is one as a client saw it. Times are nanoseconds of one clock; Outcome is ok, refused or unknown: nobody knows whether one of
// the last kind was carried out, nor when.
type Operation struct {
	Case    string   `json:"case"`
	Client  int      `json:"client"`
	Name    string   `json:"name"`
	Filing  string   `json:"filing"`
	From    int64    `json:"from"`
	To      int64    `json:"to"`
	Outcome string   `json:"outcome"`
	Docket  []string `json:"docket"`
}

// A case: the state of each filing that was touched, and the filings on its docket in their order. Never changed, only copied.
type state struct {
	filings map[string]string
	docket  []string
}

func (s state) with(filing, now string) state {
	filings := make(map[string]string, len(s.filings)+1)
	for name, was := range s.filings {
		filings[name] = was
	}
	filings[filing] = now
	docket := s.docket
	if now == "docketed" {
		docket = append(slices.Clone(docket), filing)
	}
	return state{filings, docket}
}

// What an operation makes of a filing, and whether it may.
func carriedOut(s state, operation Operation) (state, bool) {
	was, touched := s.filings[operation.Filing]
	if !touched {
		was = "draft"
	}
	switch {
	case operation.Name == "submit" && was == "draft":
		return s.with(operation.Filing, "submitted"), true
	case operation.Name == "approve" && was == "submitted":
		return s.with(operation.Filing, "docketed"), true
	case operation.Name == "withdraw" && (was == "draft" || was == "submitted"):
		return s.with(operation.Filing, "withdrawn"), true
	}
	return s, false
}

func step(before, input, output any) (bool, any) {
	s, operation := before.(state), input.(Operation)
	if operation.Name == "list" {
		return slices.Equal(s.docket, operation.Docket), s
	}
	after, may := carriedOut(s, operation)
	switch operation.Outcome {
	case "ok":
		return may, after
	case "refused":
		return !may, s
	}
	return true, after
}

var model = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byCase := map[string][]porcupine.Operation{}
		for _, one := range history {
			name := one.Input.(Operation).Case
			byCase[name] = append(byCase[name], one)
		}
		var all [][]porcupine.Operation
		for _, part := range byCase {
			all = append(all, part)
		}
		return all
	},
	Init: func() any { return state{map[string]string{}, nil} },
	Step: step,
	Equal: func(a, b any) bool {
		one, other := a.(state), b.(state)
		if len(one.filings) != len(other.filings) || !slices.Equal(one.docket, other.docket) {
			return false
		}
		for name, is := range one.filings {
			if other.filings[name] != is {
				return false
			}
		}
		return true
	},
}

func read(file string) ([]porcupine.Operation, map[string]int, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	var history []porcupine.Operation
	counts := map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one Operation
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&one); err != nil {
			return nil, nil, err
		}
		to := one.To
		if one.Outcome == "unknown" {
			// It may be carried out at any time from then on.
			to = math.MaxInt64
		}
		counts[one.Name+" "+one.Outcome]++
		history = append(history, porcupine.Operation{ClientId: one.Client, Input: one, Call: one.From, Return: to})
	}
	return history, counts, lines.Err()
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: linearizability HISTORY")
		os.Exit(2)
	}
	history, counts, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("%d operations %v: ", len(history), counts)
	switch porcupine.CheckOperationsTimeout(model, history, time.Minute) {
	case porcupine.Ok:
		fmt.Println("linearizable")
	case porcupine.Illegal:
		fmt.Println("not linearizable")
		os.Exit(1)
	default:
		fmt.Println("not decided within a minute")
		os.Exit(2)
	}
}
