import CLinux
import CSandbox
@preconcurrency import Glibc

/// The common code of the programs that decode untrusted bytes.
///
/// For each upload, the daemon starts one of these programs. The program enters the sandbox, and
/// reads the upload from standard input. The program writes the decoded data to standard output,
/// and a report to another descriptor.
package enum SandboxedProgram {
  /// The reason why the program failed.
  package enum Failure: Error {
    case cannotEnter(String)
    case cannotRead
    case tooLarge
  }

  /// Enters the sandbox. Inside the sandbox, the program can use only the system calls that it
  /// needs for decoding. If the program cannot enter the sandbox, it decodes nothing.
  package static func enter(
    addressSpaceBytes: UInt64, processorSeconds: UInt32
  ) throws(Failure) {
    let code = prompter_sandbox_enter(addressSpaceBytes, processorSeconds)
    guard code == 0 else { throw .cannotEnter(String(cString: strerror(code))) }
  }

  /// Reads all of standard input.
  ///
  /// - Parameter limit: the maximum size in bytes. If the input is longer, the function throws
  ///   `tooLarge`.
  package static func readUpload(atMost limit: Int) throws(Failure) -> [UInt8] {
    var upload: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .cannotRead }
      if count == 0 { return upload }
      upload += buffer.prefix(count)
      if upload.count > limit { throw .tooLarge }
    }
  }

  /// Asks the kernel to end this program when the daemon ends (option `--parent`).
  ///
  /// - Returns: false if the daemon has already ended. In this case, the program must end itself:
  ///   the kernel sends no signal if the daemon ended before this call.
  package static func stayWithParent(_ options: Options) -> Bool {
    guard let parent = options["--parent"].flatMap({ Int32($0) }) else { return true }
    _ = prompter_die_with_parent()
    return getppid() == parent
  }
}

/// The options of a program, as pairs `--name value`.
package struct Options {
  private var values: [String: String] = [:]

  package init(_ arguments: some Sequence<String>) {
    var name: String?
    for argument in arguments {
      if let waiting = name {
        values[waiting] = argument
        name = nil
      } else {
        name = argument
      }
    }
  }

  package subscript(name: String) -> String? { values[name] }
}

/// Writes a line to standard error. If the program is the player, the daemon copies this line to
/// its own log.
package func printError(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Writes all bytes. Returns false if a write fails, for example because the reader has closed its
/// end of the pipe.
package func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
  var sent = 0
  while sent < bytes.count {
    let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    if count <= 0 { return false }
    sent += count
  }
  return true
}
