computer "build-01" {
  provider = "byon"
  host     = "6f1c2d3e-0000-4000-8000-000000000001"
}

computer "build-02" {
  provider   = "byom"
  previously = ["build-01"]
}
