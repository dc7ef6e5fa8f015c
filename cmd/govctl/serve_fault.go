package main

// faultHelp is the part of the help of serve about --fault. Its indented lines are rules
// that a test parses.
const faultHelp = `

A --fault rule says what goes wrong: METHOD PATH EFFECT... [WHEN]. METHOD may be *; in
PATH, * stays within one segment and ** does not. Some rules:

  PUT /api/v0/organization/usage/limits/users status=503 retry-after=5s p=0.2 seed=7
  GET /api/v0/** delay=200ms slow=1KB/s
  PUT /api/v0/** drop=after nth=3
  POST /api/v0/computers reset=before every=2
  GET /api/v0/organization/users truncate=0.5
  GET /api/v0/sessions pages=cycle
  PUT /api/v0/** refuse=ada@acme.example:"no seat left"

drop and reset end the connection before or after the request is carried out; after it the
client cannot know. pages is cycle, short or missing-cursor. A rule strikes every request
it fits, or only the nth, every so many, or each with probability p. The same requests
meet the same faults again.`

// provisionHelp is the part of the help of serve about --provision-fault, written like
// faultHelp.
const provisionHelp = `

A --provision-fault rule says which sandbox does not come up: create NAME or retry NAME,
fail=STEP:"ERROR" and [WHEN]. In NAME, * stands for anything. Some rules:

  create ci-* fail=clone-repos:"repository not found"
  create * fail=install-deps:"ENOSPC: no space left on device" nth=2
  retry * fail=install-deps:"npm ci exited with status 1" p=0.5 seed=7

STEP is create-sandbox, start-agent, clone-repos or install-deps. The computer is then in
error; a retried installation of dependencies that goes well makes it active if all its
other steps did.`
