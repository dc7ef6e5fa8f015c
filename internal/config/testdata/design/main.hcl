service {
  base_url     = "https://api.example.com"   # or "embedded:"; --base-url / GOVCTL_BASE_URL win
  app_url      = "https://app.example.com"   # readiness; defaults to base_url
  organization = "org_acme"                  # guard: refuse to write to any other
}

ledger {
  url = "file:.govctl/ledger.jsonl"          # the default; postgres://… for a team
}

variable "base_credits" {                    # HCL only; --var, --var-file, GOVCTL_VAR_base_credits
  default = 1000000
}

locals {
  seniors = csvdecode(file("seniors.csv"))
}

credit_limits {
  default        = var.base_credits          # every member nothing else matches; omit = no opinion
  unlisted       = "report"                  # ignore | report | error: members without any declared limit
  reassert_after = "30d"                     # expired confirmations join the plan as `reassert`
  allow_zero     = false                     # 0 is not explained by the service
  ignore         = ["*@partner.example.com"] # never touched; declaring an ignored address is an error

  users = merge(
    { "ada@example.com" = 2500000 },
    { for r in local.seniors : r.email => tonumber(r.limit) },
  )

  users_from = ["limits/*.csv"]              # header email,limit[,reason]; streamed; the way to declare 100,000

  group "ml" {
    limit   = 5000000
    members = ["grace@example.com"]
    match   = ["*@ml.example.com"]           # globs on the folded address
    where   = user.metadata.team == "ml"     # any HCL expression over the member; a string in YAML
  }

  boost "ada@example.com" {                  # a lease: gone by itself after the date (inclusive, UTC)
    limit  = 9000000
    until  = "2026-12-31"
    reason = "launch"
  }
}

computer "build-01" {
  provider             = "byom"              # byom | sandbox_vendor; cannot change later
  host_id              = "6f1c2d3e-0000-4000-8000-000000000001"
  remote_user          = "ci"
  id                   = "cmp_123"           # optional pin
  previously           = ["build-old"]       # rename by PATCH instead of creating
  retry_failed_install = true
  on_create {                                # sent at creation; cannot be compared later
    repos              = ["https://git.example.com/acme/api"]
    auto_install_deps  = true
    service_account_id = "sa_1"
    source             = { kind = "scratch" }
  }
}

models {
  allowed           = ["model-a", "model-b"]
  blocked           = []
  allow_custom      = false
  allowed_base_urls = []
  sessions          = "report"               # report | reset: PATCH idle sessions on a model no longer allowed
  reset_to          = "model-a"
}

settings {                                   # any part of the snapshot, generic JSON, known or unknown names
  expect = {
    sandbox              = { enabled = true }
    sessionRetentionDays = 30
  }
  absent = ["/customModels"]                 # JSON pointers
}

readiness {
  default {
    min_score = 0.7
    max_age   = "30d"
  }
  repository "https://git.example.com/acme/api" {
    min_score = 0.85
    branch    = "main"
    criteria  = { lint_config = 1.0 }
  }
}

policy {
  paths      = ["policies"]                  # besides the built-in library
  disable    = ["PLN003"]
  fail_on    = "high"                        # critical | high | medium | low | info
  severity   = { SBX005 = "low" }
  parameters = { max_limit = 10000000 }      # data.params in Rego
  waiver "KEY001" {
    target  = "/customModels/0"
    reason  = "migration"
    owner   = "sec@example.com"
    expires = "2026-12-31"
  }
}
