import Glibc
import JSONValue

// The operations of the commands of `prompter-link` on the files of the link.
extension LinkFiles {
  /// Pauses the link. If a contact is in progress, it stops before its next request with rows.
  public func pause() throws(LinkError) {
    let file = open(paused, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failed("write", paused) }
    close(file)
  }

  public func resume() throws(LinkError) {
    guard unlink(paused) == 0 || errno == ENOENT else { throw Self.failed("remove", paused) }
  }

  /// Removes the enrolment, the status and the key.
  public func forget() throws(LinkError) {
    for path in [enrolment, status, paused, key, certificate] {
      guard unlink(path) == 0 || errno == ENOENT else { throw Self.failed("remove", path) }
    }
  }

  private static func failed(_ verb: String, _ path: String) -> LinkError {
    LinkError("cannot \(verb) \(path): \(String(cString: strerror(errno)))")
  }

  /// Reads the status file and returns lines of text that a person can read.
  public func readStatusLines() throws(LinkError) -> [String] {
    guard let status = try read(status) else {
      return ["The program has not contacted the archive yet."]
    }
    var lines = ["State: \(status["state"]?.string ?? "unknown")"]
    if let detail = status["detail"]?.string { lines.append("Reason: \(detail)") }
    if let contact = status["contact_s"]?.integer {
      lines.append("Last reply of the archive: \(Self.local(contact))")
    }
    let head = status["head"]?.string.map { $0.prefix { $0 != "-" } }
    lines.append("Rows in the archive: \(head ?? "0")")
    if let backlog = status["backlog"]?.integer { lines.append("Rows not sent yet: \(backlog)") }
    return lines
  }

  private static func local(_ seconds: Int64) -> String {
    var (time, parts) = (time_t(seconds), tm())
    localtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
