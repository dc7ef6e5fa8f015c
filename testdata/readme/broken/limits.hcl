credit_limits {
  defualt = 1000000
  users = {
    "ada@example.com" = 2500000
  }
}
