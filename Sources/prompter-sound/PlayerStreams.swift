@preconcurrency import Glibc
import Sandbox
import SoundProtocol

/// The input and the output of the player, on descriptors that no library uses.
///
/// Descriptor 0 becomes /dev/null, and descriptor 1 becomes standard error. ALSA, or a program that
/// ALSA starts, can write to descriptor 1. The daemon must not read such output as a message of the
/// player.
final class PlayerStreams {
  let input: Int32
  private let output: Int32
  private var rest: [UInt8] = []

  init?() {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0, output >= 0, null >= 0 else { return nil }
    dup2(null, STDIN_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    close(null)
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for input, and returns the new commands of the daemon. The list is empty if no complete
  /// command has arrived. The result is nil at the end of the input. The argument is the maximum
  /// time to wait, in milliseconds; −1 means no limit.
  ///
  /// If a line is not a command, the function reports the line on standard error and ignores the
  /// line.
  func commands(waitingMilliseconds: Int32) -> [PlayerCommand]? {
    var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, waitingMilliseconds) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(input, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    guard count > 0 else { return nil }
    rest += buffer.prefix(count)
    var commands: [PlayerCommand] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest.removeSubrange(...end)
      do {
        commands.append(try PlayerCommand(line: line))
      } catch {
        printError("cannot read a command of \(line.count) bytes: \(error)")
      }
    }
    return commands
  }

  /// Sends one message to the daemon. If the function cannot send the message, it prints the error
  /// and returns.
  ///
  /// In this case, the function does not end the player: if the daemon has ended, the player later
  /// reads the end of its input and exits.
  func send(_ message: PlayerMessage) {
    let line: [UInt8]
    do {
      line = try message.line()
    } catch {
      return printError("cannot write \(message): \(error)")
    }
    var sent = 0
    while sent < line.count {
      let count = line[sent...].withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return printError("cannot send: \(String(cString: strerror(errno)))") }
      sent += count
    }
  }
}
