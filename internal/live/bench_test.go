package live

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/govctl/govctl/internal/api"
)

// BenchmarkMembers takes 100,000 users over, two pieces of metadata each.
func BenchmarkMembers(b *testing.B) {
	users := make([]api.User, 100_000)
	for i := range users {
		users[i] = api.User{
			ID: fmt.Sprintf("user_%08d", i), Email: ptr(fmt.Sprintf("person%07d@example.com", i)), FirstName: ptr("Ada"), LastName: ptr("Lovelace"),
			Metadata: api.Object{"team": json.RawMessage(`"ml"`), "cost_center": json.RawMessage(`42`)},
		}
	}
	s := &service{walks: [][]api.User{users}}
	b.ReportAllocs()
	for b.Loop() {
		s.asked = nil
		if l, err := Read(context.Background(), s, Query{Members: true}); err != nil || len(l.Members) != len(users) {
			b.Fatal(len(l.Members), err)
		}
	}
}
