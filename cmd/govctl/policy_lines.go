package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/govctl/govctl/internal/jsonfile"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// areLines tells JSON lines from a JSON file: the first line is a value, and not the last one.
func areLines(text []byte) bool {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	return len(bytes.TrimSpace(rest)) > 0 && json.Valid(first)
}

// lines are the documents of JSON lines, as history export writes them, and what is wrong with
// each line. They are read one by one: no more than two are in memory.
func (in policyInput) lines(r io.Reader, shown string) iter.Seq2[policy.Document, error] {
	return func(yield func(policy.Document, error) bool) {
		text := bufio.NewReader(r)
		var before fileLine
		for number := 1; ; number++ {
			line, readErr := text.ReadBytes('\n')
			if readErr != nil && !errors.Is(readErr, io.EOF) {
				yield(policy.Document{}, fmt.Errorf("read documents: %w", readErr))
				return
			}
			if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
				now := fileLine{Line: jsonfile.Line{File: filepath.ToSlash(in.file), Number: number, Text: line}}
				list, err := in.ofLine(&now, before)
				if err != nil && !yield(policy.Document{}, err) {
					return
				}
				now.File = shown
				for d := range in.finished(list, now.places(before)) {
					if !yield(d, nil) {
						return
					}
				}
				before = now
			}
			if readErr != nil {
				return
			}
		}
	}
}

// fileLine is a line and what it holds.
type fileLine struct {
	jsonfile.Line
	value any
}

// ofLine are the documents of a line. A revision is judged as settings or, if history is asked
// for, as what followed on the one in the line after it.
func (in policyInput) ofLine(now *fileLine, before fileLine) (list []fileDocument, err error) {
	if now.value, err = now.Decode(); err != nil {
		return nil, err
	}
	object, _ := now.value.(map[string]any)
	if _, pair := object["to"]; in.kind == policy.History && !pair {
		now.value = redactInput(in.kind, now.value)
		if before.value != nil {
			list, err = wrapPairs([]any{before.value, now.value})
		} else if object == nil {
			err = errNoObject
		}
	} else {
		list, err = in.wrap(now.value)
		now.value = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", now.File, now.Number, err)
	}
	return list, nil
}

// places places pointers into the line or, of a pair, into the lines that are its elements.
func (l fileLine) places(before fileLine) func(pointers []string) []org.Source {
	if l.value == nil {
		return l.Places
	}
	return func(pointers []string) []org.Source {
		out := make([]org.Source, len(pointers))
		for i, p := range pointers {
			at, line := l, ""
			if rest, ok := strings.CutPrefix(p, "/0"); ok {
				at, line = before, rest
			} else if rest, ok := strings.CutPrefix(p, "/1"); ok {
				line = rest
			}
			out[i] = at.Places([]string{line})[0]
		}
		return out
	}
}
