credit_limits {
  default = var.base
  users   = { "ada@example.com" = var.elsewhere }
  unlisted = "sometimes"
}
