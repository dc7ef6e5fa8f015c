package servicetest

import (
	"testing"
	"time"
)

func (s *suite) testSettings(t *testing.T) {
	l := lists()[1]
	changes, _ := s.page(t, l, "", "limit=100")
	if len(changes) == 0 {
		s.lacks(t, "the settings have no history")
	}
	t.Run("C189 C191 U58 fields", func(t *testing.T) {
		for _, c := range changes {
			parse[int64](t, c["revision"])
			parse[object](t, c["settings"])
			user := parse[object](t, c["user"])
			for _, name := range []string{"id", "email", "name"} {
				text(t, user, name)
			}
			if _, err := time.Parse(time.RFC3339, text(t, c, "updatedAt")); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("C190 U57 newest first without gaps", func(t *testing.T) {
		revisions := s.all(t, l, "", 100)
		for i, r := range revisions {
			if r != itoa(len(revisions)-i) {
				t.Fatalf("revision %s at place %d of %d", r, i, len(revisions))
			}
		}
	})
	t.Run("C192 the newest alone", func(t *testing.T) {
		one, _ := s.page(t, l, "", "limit=1")
		if raw(one[0]) != raw(changes[0]) {
			t.Error("limit=1 gives another newest revision")
		}
	})
}
