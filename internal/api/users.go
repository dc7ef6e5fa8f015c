package api

// User is an organization user (C188). Only the id is relied on: a user without an
// address cannot be governed but must not hide the others (U54).
type User struct {
	ID           string  `json:"id"`
	Email        *string `json:"email,omitempty"`
	CreatedAt    *string `json:"createdAt,omitempty"`
	Metadata     Object  `json:"metadata,omitempty"`
	FirstName    *string `json:"firstName,omitempty"`
	LastName     *string `json:"lastName,omitempty"`
	LastSignInAt *string `json:"lastSignInAt,omitempty"`
}

// UsersPage is one page of GET users (C187).
type UsersPage struct {
	Users      []User     `json:"users"`
	Pagination Pagination `json:"pagination"`
}
