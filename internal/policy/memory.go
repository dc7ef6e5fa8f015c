package policy

import (
	"encoding/binary"
	"encoding/json"
	"hash/maphash"
	"sync"
)

// memory is what rules said of the documents of a batch so far. Revisions of the same
// settings differ in little, and a rule that reads the same says the same. Values are
// compared, not only their hashes, so that an answer from memory is the answer.
type memory struct {
	parts [][]string // what rules read
	seed  maphash.Seed

	mu      sync.Mutex
	held    int                    // values that are kept
	last    uint64                 // number of the newest part
	seen    []map[uint64]*seenPart // by part of parts, and hash
	answers map[string]answer      // by key
}

// seenPart is a value with the number it goes by in keys, and others with the same hash.
type seenPart struct {
	value  any
	number uint64
	next   *seenPart
}

const (
	// maxHeld is how many values are kept: some 20 MB.
	maxHeld = 1 << 18
	// maxRemembered is how many values a document may have to be remembered.
	maxRemembered = 1 << 15
	// maxAnswers is how many answers are kept.
	maxAnswers = 1 << 14
	// maxAnswer is how many findings an answer that is kept may have.
	maxAnswer = 256
)

func newMemory(parts [][]string) *memory {
	m := &memory{parts: parts, seed: maphash.MakeSeed()}
	m.forget()
	return m
}

func (m *memory) forget() {
	m.held, m.seen, m.answers = 0, make([]map[uint64]*seenPart, len(m.parts)), map[string]answer{}
}

// keys are what rules read in a document, each in one text; equal texts mean equal values.
// "" means that a rule's is not remembered.
func (m *memory) keys(in *input, rules []*rule) []string {
	keys := make([]string, len(rules))
	if in.values > maxRemembered {
		return keys
	}
	numbers := make([]uint64, len(m.parts)) // 0: not looked at yet
	var key []byte
	for i, r := range rules {
		key = append(append(key[:0], r.ID...), 0)
		known := true
		for _, p := range r.reads {
			if numbers[p] == 0 {
				numbers[p] = m.number(p, in)
			}
			key = binary.AppendUvarint(key, numbers[p])
			known = known && numbers[p] != unknownPart
		}
		if known {
			keys[i] = string(key)
		}
	}
	return keys
}

// Numbers of parts that are no values.
const (
	absentPart  = iota + 1
	unknownPart // not JSON, or not followed there
	firstPart
)

// number is the number of what a document has as part p, the same for equal values.
func (m *memory) number(p int, in *input) uint64 {
	value := any(in.body)
	h := hasher{seed: m.seed}
	for _, name := range m.parts[p] {
		object, ok := value.(map[string]any)
		if !ok {
			// A list has no names, and a scalar nothing at all; of anything else nobody knows.
			if h.hash(value); h.foreign {
				return unknownPart
			}
			return absentPart
		}
		inner, found := object[name]
		if !found {
			return absentPart
		}
		value = inner
	}
	hash := h.hash(value)
	if h.foreign {
		return unknownPart
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for s := m.seen[p][hash]; s != nil; s = s.next {
		if same(s.value, value) {
			return s.number
		}
	}
	if m.held += h.values; m.held > maxHeld {
		m.forget()
		m.held = h.values
	}
	if m.seen[p] == nil {
		m.seen[p] = map[uint64]*seenPart{}
	}
	m.last++
	number := m.last + firstPart
	m.seen[p][hash] = &seenPart{value, number, m.seen[p][hash]}
	return number
}

// answer is what was said before, false if there was nothing.
func (m *memory) answer(key string) (answer, bool) {
	if key == "" {
		return answer{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.answers[key]
	return a, ok
}

// keep remembers an answer.
func (m *memory) keep(key string, a answer) {
	if key == "" || len(a.said) > maxAnswer {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.answers) == maxAnswers {
		m.forget()
	}
	m.answers[key] = a
}

// hasher hashes values.
type hasher struct {
	seed    maphash.Seed
	values  int  // that were hashed
	foreign bool // one of them is not JSON
}

func (h *hasher) hash(v any) uint64 {
	h.values++
	switch x := v.(type) {
	case nil:
		return 1
	case bool:
		if x {
			return 2
		}
		return 3
	case string:
		return maphash.String(h.seed, x)
	case json.Number:
		return ^maphash.String(h.seed, string(x))
	case []any:
		sum := uint64(5)
		for _, e := range x {
			sum = mix(sum, h.hash(e))
		}
		return sum
	case map[string]any:
		sum := uint64(7)
		for name, e := range x {
			sum += mix(maphash.String(h.seed, name), h.hash(e)) // in any order
		}
		return sum
	}
	h.foreign = true
	return 0
}

func mix(a, b uint64) uint64 {
	a = (a ^ b) * 0x9e3779b97f4a7c15
	return a ^ a>>29
}

// same reports whether two values are equal to the letter: rules can tell 1 from 1.0.
func same(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, v := range x {
			w, ok := y[name]
			if !ok || !same(v, w) {
				return false
			}
		}
		return true
	}
	return a == b
}
