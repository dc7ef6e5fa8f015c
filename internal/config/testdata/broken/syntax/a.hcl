variable "base" {
  default = 5
}

credit_limits {
  default = var.base +
}
