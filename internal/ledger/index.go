package ledger

import (
	"hash/maphash"

	"github.com/govctl/govctl/internal/org"
)

// index numbers addresses from 0 in the order they come. It is a hash table with open
// addressing that keeps no addresses of its own: the caller knows them by number. That
// takes a third of a map's memory and nothing of it is of interest to the garbage
// collector, which is what counts at a million addresses.
type index struct {
	seed  maphash.Seed
	slots []uint64 // upper half: of the hash; lower half: number + 1; 0: free
	n     int32
}

// newIndex makes room for about n addresses.
func newIndex(n int) index {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return index{seed: maphash.MakeSeed(), slots: make([]uint64, size)}
}

// find returns the number of email, and whether it had one before. address gives the
// address of a number.
func (x *index) find(email org.Email, address func(int32) org.Email) (int32, bool) {
	if int(x.n) >= len(x.slots)/4*3 {
		x.grow(address)
	}
	slot, hash := x.slot(email, address)
	if *slot != 0 {
		return int32(*slot) - 1, true
	}
	x.n++
	*slot = hash>>32<<32 | uint64(x.n)
	return x.n - 1, false
}

// number returns the number of email, and whether it has one.
func (x *index) number(email org.Email, address func(int32) org.Email) (int32, bool) {
	slot, _ := x.slot(email, address)
	return int32(*slot) - 1, *slot != 0
}

// slot finds where email is, or the free slot where it belongs.
func (x *index) slot(email org.Email, address func(int32) org.Email) (slot *uint64, hash uint64) {
	hash = maphash.String(x.seed, string(email))
	for i := hash; ; i++ {
		slot := &x.slots[i&uint64(len(x.slots)-1)]
		if *slot == 0 || *slot>>32 == hash>>32 && address(int32(*slot)-1) == email {
			return slot, hash
		}
	}
}

// grow doubles the table. The slots do not have the whole hash, so it is made again.
func (x *index) grow(address func(int32) org.Email) {
	bigger := index{seed: x.seed, slots: make([]uint64, 2*len(x.slots))}
	for n := range x.n {
		bigger.find(address(n), address)
	}
	*x = bigger
}
