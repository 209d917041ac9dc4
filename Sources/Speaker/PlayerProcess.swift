import Glibc
import Processes

/// A running process `prompter-sound play` with its streams for commands, messages and log. Only
/// one thread may use an instance.
final class PlayerProcess {
  let pid: pid_t
  private(set) var commands: Int32
  let messages: Int32
  let log: Int32
  private(set) var isLogOpen = true
  private var unsent: [UInt8] = []
  private var messageLines = LineCutter()
  private var logLines = LineCutter()

  /// - Throws: `SpawnFailure` if the process or its pipes cannot be created.
  init(executable: String, arguments: [String], environment: [String: String]?)
    throws(SpawnFailure)
  {
    let pipes = (0..<3).compactMap { _ in DescriptorPair.make() }
    guard pipes.count == 3 else {
      let code = errno
      for pipe in pipes { pipe.close() }
      throw SpawnFailure(executable: executable, code: code)
    }
    do {
      pid = try ChildProcess.spawn(
        executable, arguments: arguments, environment: environment,
        descriptors: [(0, pipes[0].reading), (1, pipes[1].writing), (2, pipes[2].writing)])
    } catch {
      for pipe in pipes { pipe.close() }
      throw error
    }
    close(pipes[0].reading)
    close(pipes[1].writing)
    close(pipes[2].writing)
    commands = pipes[0].writing
    messages = pipes[1].reading
    log = pipes[2].reading
    for descriptor in [commands, messages, log] { setNonBlocking(descriptor) }
  }

  var hasUnsent: Bool { !unsent.isEmpty }

  func send(_ bytes: [UInt8]) {
    unsent += bytes
    flush()
  }

  /// Writes as many of the waiting bytes as the player can accept now. If the player has ended, the
  /// function drops the bytes, and `readMessages` later reports the end of the player.
  func flush() {
    guard commands >= 0, !unsent.isEmpty else { return }
    let count = sendAvailable(commands, unsent[...]) ?? unsent.count
    unsent.removeFirst(count)
  }

  /// Returns the new messages. Each message contains the bytes of one line, without the newline.
  /// The result is nil if the player closed the stream of messages.
  func readMessages() -> [[UInt8]]? {
    switch readAvailable(messages) {
    case .bytes(let bytes): messageLines.cut(bytes)
    case .nothingYet: []
    case .end: nil
    }
  }

  /// Returns the new lines of the log. If `isLogOpen` is false after the call, the player has
  /// closed its log, and the caller must not poll the log again.
  func readLog() -> [[UInt8]] {
    guard isLogOpen else { return [] }
    switch readAvailable(log) {
    case .bytes(let bytes): return logLines.cut(bytes)
    case .nothingYet: return []
    case .end:
      isLogOpen = false
      return []
    }
  }

  /// Closes the stream of commands. As a result, the player silences its sound device and exits.
  func closeCommands() {
    guard commands >= 0 else { return }
    close(commands)
    commands = -1
  }

  func kill() { Glibc.kill(pid, SIGKILL) }

  deinit {
    closeCommands()
    close(messages)
    close(log)
  }
}
