package scaffold

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Starter is what a new project begins with.
type Starter struct {
	Service
	Default *int64 // limit of every member nothing else names, nil for no opinion
	YAML    bool   // instead of HCL
}

// Start is a commented project to go on from.
func Start(s Starter) File {
	if s.YAML {
		return File{"govctl.yaml", s.yaml()}
	}
	return File{"govctl.hcl", s.hcl()}
}

// Ignore is a .gitignore for what govctl keeps beside a project.
func Ignore(keepLedger bool) []byte {
	if !keepLedger {
		return []byte("# What govctl keeps for this copy of the project alone.\n.govctl/\n")
	}
	return []byte(`# What govctl keeps for this copy of the project alone, but for the ledger: it is the
# only memory of which limits were set. Branches merge by keeping the lines of both.
.govctl/*
!.govctl/ledger.jsonl
`)
}

// The commented examples of a starter, the same in both syntaxes.
const hclHints = `
# Machines that sessions run on.
#
# computer "build-01" {
#   provider    = "byom"
#   host_id     = "6f1c2d3e-0000-4000-8000-000000000001"
#   remote_user = "ci"
# }

# Which models may be used, and what the settings must be. Settings can only be changed
# in the web application: the plan says by whom, drift says who did.
#
# models {
#   allowed = ["model-a", "model-b"]
# }
#
# settings {
#   expect = { sandbox = { enabled = true } }
# }

# Rules of your own beside the shipped ones, and what stops a plan.
#
# policy {
#   paths   = ["policies"]
#   fail_on = "high"
# }
`

func (s Starter) hcl() []byte {
	p := newPage()
	p.comment("What should be true of the organization. Every *.hcl and *.yaml file beside this one\nbelongs to the project, too.")
	p.space()
	serviceBlock(p, s.Service)
	p.space()
	p.comment("How many credits each member may use. A limit cannot be read back: govctl remembers\nwhat it set in its ledger.")
	b := p.within(p.body.AppendNewBlock("credit_limits", nil).Body())
	if s.Default != nil {
		b.raw("default", number(strconv.FormatInt(*s.Default, 10)))
		if *s.Default == 0 {
			b.raw("allow_zero", expression(true))
		}
	} else {
		b.comment("default = 1000000 # for every member nothing else names")
	}
	b.space()
	b.comment("users      = { \"ada@example.com\" = 2500000 }\nusers_from = [\"limits/*.csv\"] # header email,limit[,reason]")
	b.space()
	b.comment("group \"ml\" {\n  limit = 5000000\n  match = [\"*@ml.example.com\"]\n}")
	out := append(p.bytes(), hclHints...)
	return out
}

const yamlHints = `
# Machines that sessions run on.
#
# computer:
#   build-01:
#     provider: byom
#     host_id: 6f1c2d3e-0000-4000-8000-000000000001
#     remote_user: ci

# Which models may be used, and what the settings must be. Settings can only be changed
# in the web application: the plan says by whom, drift says who did.
#
# models:
#   allowed: [model-a, model-b]
#
# settings:
#   expect:
#     sandbox: {enabled: true}

# Rules of your own beside the shipped ones, and what stops a plan.
#
# policy:
#   paths: [policies]
#   fail_on: high
`

func (s Starter) yaml() []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# What should be true of the organization. Every *.hcl and *.yaml file beside this one\n# belongs to the project, too.\n")
	line("service:\n  base_url: %s", scalar(s.BaseURL))
	if s.AppURL != "" {
		line("  app_url: %s", scalar(s.AppURL))
	}
	if s.Organization != "" {
		line("  organization: %s", scalar(s.Organization))
	} else {
		line("  # organization: org_… # name it: apply then refuses to write to any other")
	}
	if s.Ledger != "" {
		line("\nledger:\n  url: %s", scalar(s.Ledger))
	}
	line("\n# How many credits each member may use. A limit cannot be read back: govctl remembers\n# what it set in its ledger.\ncredit_limits:")
	if s.Default != nil {
		line("  default: %d", *s.Default)
		if *s.Default == 0 {
			line("  allow_zero: true")
		}
	} else {
		line("  unlisted: report\n  # default: 1000000 # for every member nothing else names")
	}
	line("  # users: {ada@example.com: 2500000}\n  # users_from: [\"limits/*.csv\"] # header email,limit[,reason]\n  # group:\n  #   ml: {limit: 5000000, match: [\"*@ml.example.com\"]}")
	b.WriteString(yamlHints)
	return b.Bytes()
}

// scalar writes a text as YAML: JSON's quoting is YAML's, too.
func scalar(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}
