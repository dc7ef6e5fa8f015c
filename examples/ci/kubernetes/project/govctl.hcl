service {
  base_url     = "https://api.example.com"
  organization = "org_acme"
}

settings {
  expect = {
    sandbox = { enabled = true }
  }
}
