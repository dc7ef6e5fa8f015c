package live

import (
	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// Revision makes a revision of one entry of the history, secrets hidden by hide.
func Revision(c api.Change, hide org.Redactor) (org.Revision, error) {
	r, err := decode(c)
	if err != nil {
		return org.Revision{}, err
	}
	shown, _ := hide.Redact(r.settings).(map[string]any) // an object stays one
	return org.Revision{Number: r.number, Settings: shown, Actor: r.actor, UpdatedAt: r.updatedAt}, nil
}
