package grid

import (
	"encoding/json"
	"strconv"

	"github.com/govctl/govctl/internal/org"
)

// History are revisions of the settings, secrets hidden already (C191). A revision whose
// actor the service does not name was made by somebody unknown, or by the system (U58).
func History() Of[org.Revision] {
	type r = org.Revision
	return Of[r]{[]cell[r]{
		brief("revision", "", func(x *r) any { return json.Number(strconv.FormatInt(x.Number, 10)) }),
		brief("updated_at", "as the service writes it", func(x *r) any { return nonempty(x.UpdatedAt) }),
		brief("actor_email", "", func(x *r) any { return nonempty(x.Actor.Email) }),
		brief("actor_name", "", func(x *r) any { return nonempty(x.Actor.Name) }),
		wide("actor_id", "", func(x *r) any { return nonempty(x.Actor.ID) }),
		nested("settings", "the whole snapshot", func(x *r) any {
			if x.Settings == nil {
				return nil
			}
			return x.Settings
		}),
	}}
}
