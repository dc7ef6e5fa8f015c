package grid

import "github.com/govctl/govctl/internal/api"

// Users are the members of the organization (C188). Conditions may ask for metadata, as in
// metadata.team == "ml".
func Users() Of[api.User] {
	return Of[api.User]{[]cell[api.User]{
		brief("id", "user id", func(u *api.User) any { return text(u.ID) }),
		brief("email", "address as the service spells it; absent: cannot be governed", func(u *api.User) any { return address(u.Email) }),
		brief("first_name", "", func(u *api.User) any { return optional(u.FirstName) }),
		brief("last_name", "", func(u *api.User) any { return optional(u.LastName) }),
		brief("created_at", "as the service writes it", func(u *api.User) any { return optional(u.CreatedAt) }),
		brief("last_sign_in_at", "as the service writes it", func(u *api.User) any { return optional(u.LastSignInAt) }),
		nested("metadata_names", "names of the member's metadata", func(u *api.User) any { return names(u.Metadata) }),
		{Column{Name: "metadata", About: "the member's metadata, in conditions only", Inner: true}, func(u *api.User) any { return free(u.Metadata) }},
	}}
}
