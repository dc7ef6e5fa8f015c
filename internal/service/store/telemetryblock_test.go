package store

import "testing"

// FuzzBlock: a damaged block is an error or other spans, never a panic.
func FuzzBlock(f *testing.F) {
	f.Add(encodeBlock(20000, []*Span{{Kind: SpanModelRequest, Start: 20000*nanosPerDay + 5, UserID: "u", SessionID: "s", Client: "c", Name: "m", Input: 9}}))
	f.Add([]byte{blockVersion, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Add([]byte{2})
	f.Fuzz(func(t *testing.T, block []byte) {
		n := 0
		_ = decodeBlock(20000, block, func(*Span) error { n++; return nil })
		if n > len(block) {
			t.Errorf("%d spans in %d bytes", n, len(block))
		}
	})
}
