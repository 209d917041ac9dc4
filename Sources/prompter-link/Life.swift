import Systemd

/// Tells systemd that the program is ready and alive.
struct Life {
  private let manager = ServiceManager()

  func begin() { manager.ready(status: "sending the record to the archive") }

  func alive() { manager.alive() }
}
