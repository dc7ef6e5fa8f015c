package plan

import (
	"cmp"
	"encoding/json"
	"hash/maphash"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Overview is what the limits of a plan amount to. Of a hundred thousand changes hardly
// any is worth a look, so it names those and says what the others stay within; who
// judges the plan reads the rest only when that is not enough.
type Overview struct {
	Limits    int         `json:"limits"`  // that change
	Changed   int         `json:"changed"` // raised or lowered from a known value
	Unknown   int         `json:"unknown"` // whose old value is not known
	Sum       json.Number `json:"sum"`     // of the new limits; may be above 2^63
	Least     *int64      `json:"least,omitempty"`
	Repeated  bool        `json:"repeated"`            // false: no two have one address or one user id
	Addresses *int        `json:"addresses,omitempty"` // members with one; nil unless the whole list was read
	Domains   []string    `json:"domains,omitempty"`   // of the addresses, sorted; nil if there are more than maxDomains
	Strangers []int       `json:"-"`                   // places in Limits: nobody has the address, as far as the list was read
	Notable   []int       `json:"-"`                   // places in Limits, ascending: the largest by each field of Rest
	Rest      Extremes    `json:"rest"`                // of those that are not notable
}

// Extremes are the largest steps among some limits, never less than they are; nil where
// none has such a step.
type Extremes struct {
	After  *float64 `json:"after,omitempty"`  // new limit
	Factor *float64 `json:"factor,omitempty"` // new limit by the known one
	Raise  *float64 `json:"raise,omitempty"`  // new limit less the known one
}

const (
	maxDomains = 1000 // more are not worth a list
	maxNotable = 32   // by each measure; who reads findings does not read more either
)

// Overview looks at the limits of p once. The members of have may be others than those
// p was made from.
func (p *Plan) Overview(have org.Live) Overview {
	o := Overview{Limits: len(p.Limits)}
	sum, part := new(big.Int), int64(0)
	domains := map[string]struct{}{}
	for i := range p.Limits {
		c := &p.Limits[i]
		switch c.Action {
		case ActionRaise, ActionLower:
			o.Changed++
		}
		if !c.Before.known() {
			o.Unknown++
		}
		if o.Least == nil || c.After < *o.Least {
			o.Least = &c.After
		}
		if part += c.After; c.unheard() || part > math.MaxInt64/2 {
			sum.Add(sum, big.NewInt(part-c.After)).Add(sum, big.NewInt(c.After))
			part = 0
		}
		if len(domains) <= maxDomains {
			domains[domain(c.Email)] = struct{}{}
		}
	}
	o.Sum = json.Number(sum.Add(sum, big.NewInt(part)).String())
	if len(domains) <= maxDomains {
		for d := range domains {
			o.Domains = append(o.Domains, d)
		}
		slices.Sort(o.Domains)
	}
	o.compare(p.Limits, have)
	o.pick(p.Limits)
	return o
}

// known reports whether Value is what the service once confirmed.
func (b LimitBefore) known() bool { return b.Grade == org.Confirmed || b.Grade == org.Expired }

// domain is what follows the last @ of an address, "" without one.
func domain(e org.Email) string {
	_, after, _ := strings.Cut(string(e[max(0, strings.LastIndexByte(string(e), '@')):]), "@")
	return string(org.Fold(after))
}

// compare looks for addresses that are not there and for what is there twice.
func (o *Overview) compare(limits []LimitChange, have org.Live) {
	order, keys := make([]int, len(limits)), make([]org.Email, len(limits))
	ids := make([]uint64, 0, len(limits))
	seed := maphash.MakeSeed()
	for i := range limits {
		order[i], keys[i] = i, org.Fold(string(limits[i].Email))
		if id := limits[i].UserID; id != "" {
			ids = append(ids, maphash.String(seed, id))
		}
	}
	if !slices.IsSorted(keys) { // as in no plan that govctl made
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	}
	slices.Sort(ids) // equal ids have equal hashes, and eight bytes each are cheap
	o.Repeated = len(slices.Compact(ids)) < len(ids)
	for n := 1; n < len(order) && !o.Repeated; n++ {
		o.Repeated = keys[order[n-1]] == keys[order[n]]
	}
	if !have.MembersRead {
		return
	}
	members := have.Members
	byAddress := func(a, b org.Member) int { return cmp.Compare(a.Email, b.Email) }
	if !slices.IsSortedFunc(members, byAddress) {
		members = slices.SortedFunc(slices.Values(members), byAddress)
	}
	at, addresses := 0, 0
	for i := range members {
		if members[i].Email != "" {
			addresses++
		}
	}
	o.Addresses = &addresses
	for _, i := range order {
		for at < len(members) && members[at].Email < keys[i] {
			at++
		}
		if at == len(members) || members[at].Email != keys[i] {
			o.Strangers = append(o.Strangers, i)
		}
	}
	slices.Sort(o.Strangers)
}

// pick finds the notable limits and what the others stay within.
func (o *Overview) pick(limits []LimitChange) {
	var best [3]largest
	for i := range limits {
		for m, v := range limits[i].steps() {
			best[m].add(v, i)
		}
	}
	for _, b := range best {
		for _, s := range b {
			o.Notable = append(o.Notable, s.at)
		}
	}
	slices.Sort(o.Notable)
	o.Notable = slices.Compact(o.Notable)
	rest := [3]**float64{&o.Rest.After, &o.Rest.Factor, &o.Rest.Raise}
	next := 0
	for i := range limits {
		if next < len(o.Notable) && o.Notable[next] == i {
			next++
			continue
		}
		for m, v := range limits[i].steps() {
			if most := rest[m]; !math.IsInf(v, -1) && (*most == nil || v > **most) {
				*most = &v
			}
		}
	}
}

// steps measures a change as Extremes does; minus infinity stands for no such step.
func (c *LimitChange) steps() [3]float64 {
	none := math.Inf(-1)
	out := [3]float64{float64(c.After), none, none}
	switch {
	case c.unheard():
		return [3]float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64} // somebody must look
	case c.Before.known():
		out[2] = float64(c.After) - float64(c.Before.Value)
		if c.Before.Value > 0 {
			out[1] = math.Nextafter(float64(c.After)/float64(c.Before.Value), math.Inf(1)) // rounded up
		}
	}
	return out
}

// unheard reports whether a number is one that no configuration can declare, and too
// large to be exact as a float64.
func (c *LimitChange) unheard() bool {
	outside := func(n int64) bool { return n < 0 || n > org.MaxCredits }
	return outside(c.After) || outside(c.Before.Value)
}

// step is one limit by one measure.
type step struct {
	size float64
	at   int
}

// largest keeps the maxNotable largest steps, largest first; of equal ones the first.
type largest []step

func (l *largest) add(size float64, at int) {
	list := *l
	if math.IsInf(size, -1) || len(list) == maxNotable && list[maxNotable-1].size >= size {
		return
	}
	i := slices.IndexFunc(list, func(s step) bool { return s.size < size })
	if i < 0 {
		i = len(list)
	}
	*l = slices.Insert(list, i, step{size, at})[:min(len(list)+1, maxNotable)]
}
