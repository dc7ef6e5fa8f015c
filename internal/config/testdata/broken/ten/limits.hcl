# Ten different mistakes in four files; all of them are reported at once.
variable "base_credits" {
  default = 1000000
}

credit_limits {
  default = var.base_credit

  users = {
    "ada@example.com"       = 2500000
    "Grace <g@example.com>" = 3000000
    "bob@example.com"       = 0
  }
}
