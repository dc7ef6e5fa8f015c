package plan

import (
	"fmt"
	"testing"

	"github.com/govctl/govctl/internal/org"
)

// bulk wants n limits in an organization of n members, of which one in every nth differs
// from the last confirmed one; 0 for none.
func bulk(n, nth int) Input {
	in, known := limitsInput(nil), map[org.Email]org.KnownLimit{}
	for i := range n {
		name := fmt.Sprintf("user%06d", i)
		in.Have.Members = append(in.Have.Members, member(name))
		in.Want.Limits = append(in.Want.Limits, limit(name, 1000000+int64(i%7)))
		last := confirmed(name, 1000000+int64(i%7), day)
		if nth > 0 && i%nth == 0 {
			last.Credits--
		}
		known[org.Email(name+"@example.com")] = last
	}
	in.Last.Limits = org.LimitsOf(known)
	return in
}

func BenchmarkPlan(b *testing.B) {
	for _, c := range []struct {
		name string
		nth  int
	}{{"none", 0}, {"percent", 100}, {"all", 1}} {
		in := bulk(100000, c.nth)
		p := Make(in)
		data := encode(b, p)
		b.Run(c.name+"/make", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Make(in)
			}
		})
		b.Run(c.name+"/encode", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				encode(b, p)
			}
		})
		b.Run(c.name+"/decode", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Decode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
