import Alarms
import Glibc

/// Writes a line to standard error.
package func report(_ line: String) { show(VisibleText.shown(line, keepsLines: true) + "\n") }

/// Writes text to standard error.
package func show(_ text: String) {
  let bytes = Array(text.utf8)
  // If this write fails, the program cannot report the error anywhere.
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
