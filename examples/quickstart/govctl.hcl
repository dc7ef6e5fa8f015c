# A whole project in one page. It is planned against the service inside the govctl
# binary, so it needs no account:
#
#   govctl plan examples/quickstart

service {
  base_url     = "embedded:" # or "https://api.example.com"
  organization = "org_acme"  # apply refuses to write to any other
}

variable "base_credits" {
  description = "What everybody may use unless something below says otherwise."
  default     = 1000000
}

locals {
  seniors = csvdecode(file("limits/seniors.csv"))
}

credit_limits {
  default        = var.base_credits
  reassert_after = "90d"
  ignore         = ["*@partner.example"] # contractors have limits of their own

  users = merge(
    { "ada@acme.example" = 2500000 },
    { for s in local.seniors : s.email => tonumber(s.credits) },
  )

  group "ml" {
    limit    = 5000000
    priority = 10
    where    = user.metadata.team == "ml"
  }

  group "security" {
    limit = 3000000
    where = user.metadata.team == "security"
  }

  boost "grace@acme.example" { # a lease: gone by itself after the date
    limit  = 9000000
    until  = "2099-12-31"
    reason = "training the compiler"
  }
}

models {
  allowed  = ["model-a", "model-b", "model-c"]
  sessions = "reset" # idle sessions on any other model are moved to this one
  reset_to = "model-a"
}
