package store

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A block holds spans of one day. Spans that come together share most of their texts, so a
// block begins with its texts and a span names them by number: about 25 bytes for a span
// of a usual request, where a row of columns would take 250 and be read four times slower.
//
//	version, number of texts, texts, number of spans, spans
//	span: kind, flags, nanoseconds since midnight, user, session, client,
//	      then what the flags say, then the numbers of a model request
const blockVersion = 1

// Flags of a span in a block.
const (
	flagResumed = 1 << iota
	flagCreated
	flagPriced
	flagEmail
	flagName
	flagDetail
	flagCommand
	flagDelegation
)

var errBlock = errors.New("damaged block of spans")

func (sp *Span) flags() (flags byte) {
	set := func(flag byte, on bool) {
		if on {
			flags |= flag
		}
	}
	set(flagResumed, sp.Resumed)
	set(flagCreated, sp.Created)
	set(flagPriced, sp.Priced)
	set(flagEmail, sp.UserEmail != "")
	set(flagName, sp.Name != "")
	set(flagDetail, sp.Detail != "")
	set(flagCommand, sp.Command != "")
	set(flagDelegation, sp.Delegation != "")
	return flags
}

func (sp *Span) texts() [8]string {
	return [8]string{sp.UserID, sp.SessionID, sp.Client, sp.UserEmail, sp.Name, sp.Detail, sp.Command, sp.Delegation}
}

func (sp *Span) numbers() [5]int64 {
	return [5]int64{sp.Credits, sp.Input, sp.Output, sp.CacheRead, sp.CacheWrite}
}

// required is how many of the texts of a span are always written; each of the others has
// a flag, in order from flagEmail.
const required = 3

func encodeBlock(day Day, spans []*Span) []byte {
	midnight := day.Time().UnixNano()
	ids := map[string]uint64{}
	head, body := []byte{}, binary.AppendUvarint(nil, uint64(len(spans)))
	number := func(text string) uint64 {
		id, ok := ids[text]
		if !ok {
			id = uint64(len(ids))
			ids[text] = id
			head = binary.AppendUvarint(head, uint64(len(text)))
			head = append(head, text...)
		}
		return id
	}
	for _, sp := range spans {
		flags := sp.flags()
		body = append(body, sp.Kind, flags)
		body = binary.AppendUvarint(body, uint64(sp.Start-midnight))
		for i, text := range sp.texts() {
			if i < required || flags&(flagEmail<<(i-required)) != 0 {
				body = binary.AppendUvarint(body, number(text))
			}
		}
		if sp.Kind == SpanModelRequest {
			for _, n := range sp.numbers() {
				body = binary.AppendUvarint(body, uint64(n))
			}
		}
	}
	block := binary.AppendUvarint([]byte{blockVersion}, uint64(len(ids)))
	return append(append(block, head...), body...)
}

// decodeBlock calls each with every span of a block; the span is used again for the next.
func decodeBlock(day Day, block []byte, each func(*Span) error) error {
	r := blockReader{rest: block}
	if version := r.byte(); version != blockVersion && r.err == nil {
		return fmt.Errorf("block of spans has version %d", version)
	}
	texts := r.texts()
	midnight := day.Time().UnixNano()
	var sp Span // one for all: the address of a new one would cost an allocation each
	for n := r.number(); n > 0 && r.err == nil; n-- {
		sp = Span{Kind: r.byte()}
		flags := r.byte()
		sp.Resumed, sp.Created, sp.Priced = flags&flagResumed != 0, flags&flagCreated != 0, flags&flagPriced != 0
		sp.Start = midnight + int64(r.number())
		for i, text := range [...]*string{&sp.UserID, &sp.SessionID, &sp.Client, &sp.UserEmail, &sp.Name, &sp.Detail, &sp.Command, &sp.Delegation} {
			if i < required || flags&(flagEmail<<(i-required)) != 0 {
				*text = r.pick(texts)
			}
		}
		if sp.Kind == SpanModelRequest {
			for _, n := range [...]*int64{&sp.Credits, &sp.Input, &sp.Output, &sp.CacheRead, &sp.CacheWrite} {
				*n = int64(r.number())
			}
		}
		if r.err != nil {
			break
		}
		if err := each(&sp); err != nil {
			return err
		}
	}
	return r.err
}

// blockReader reads a block and keeps the first problem.
type blockReader struct {
	rest []byte
	err  error
}

func (r *blockReader) fail() { r.rest, r.err = nil, errBlock }

func (r *blockReader) byte() byte {
	if len(r.rest) == 0 {
		r.fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *blockReader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *blockReader) texts() []string {
	n := r.number()
	if n > uint64(len(r.rest)) { // each takes a byte at least
		r.fail()
		return nil
	}
	texts := make([]string, 0, n)
	for range n {
		size := r.number()
		if size > uint64(len(r.rest)) {
			r.fail()
			return nil
		}
		texts = append(texts, string(r.rest[:size]))
		r.rest = r.rest[size:]
	}
	return texts
}

func (r *blockReader) pick(texts []string) string {
	n := r.number()
	if n >= uint64(len(texts)) {
		r.fail()
		return ""
	}
	return texts[n]
}
