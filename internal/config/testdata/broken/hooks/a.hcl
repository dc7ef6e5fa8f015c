hooks {
  on "stop" {
    command = "a"
  }
  on "Stop" {
    matcher = "Edit"
    command = "a"
  }
  on "Stop" {
    command = "b"
    timeout = 5
  }
  on "SessionEnd" {}
  on "Notification" {
    command = "same"
  }
}
