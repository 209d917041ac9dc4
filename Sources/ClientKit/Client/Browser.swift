import Glibc
import Processes

/// The browser of the person who uses this computer.
package enum Browser {
  /// True if the person works at a graphical display. On a text terminal, xdg-open would start a
  /// text browser.
  package static var isPossible: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { ProcessEnvironment.value($0) != nil }
  }

  /// Opens a file in the browser, and does not wait for the browser.
  ///
  /// - Returns: false if xdg-open cannot be started.
  package static func open(file: String) -> Bool {
    let null = ChildProcess.openNull()
    defer { close(null) }
    do {
      _ = try Program.start(["xdg-open", file], input: null, output: null, errors: null)
      return true
    } catch {
      return false
    }
  }
}
