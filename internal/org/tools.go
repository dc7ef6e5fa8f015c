package org

import "strings"

// IsToolName reports whether a tool can have this name: a letter, then letters, digits and
// _ . : - up to 128 characters. Others are artefacts of parsing (C69, T43).
func IsToolName(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		later := r >= '0' && r <= '9' || strings.ContainsRune("_.:-", r)
		if !letter && (i == 0 || !later) {
			return false
		}
	}
	return true
}
