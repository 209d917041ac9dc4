import CLinux
import Glibc

/// A program that could not be started, and the reason.
package struct SpawnFailure: Error, CustomStringConvertible {
  package var executable: String
  /// The `errno` of the failed call.
  package var code: Int32

  package init(executable: String, code: Int32) {
    self.executable = executable
    self.code = code
  }

  /// The reason in words.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String { "cannot start \(executable): \(reason)" }
}

/// Starts programs and reaps them.
///
/// It uses posix_spawn and not Foundation's Process. That type lets children inherit descriptors,
/// leaves SIGPIPE handling to this process anyway, and adds all of Foundation to the daemon.
///
/// The thread that spawns must outlive the child. The child sets PR_SET_PDEATHSIG on itself, and
/// that signal is sent when the parent *thread* ends. A Dispatch worker thread ends when it is
/// idle.
package enum ChildProcess {
  /// Starts a program in its own process group.
  ///
  /// It has default signals and only the given descriptors. The child closes all other descriptors
  /// before its exec. They are not all close-on-exec: not the accepted connections and epoll
  /// descriptors of swift-nio, and perhaps not those of a library.
  ///
  /// - Parameter descriptors: pairs of the number in the child and the number in this process.
  /// - Throws: `SpawnFailure` with the error number of the failed call.
  package static func spawn(
    _ executable: String, arguments: [String], environment: [String: String]?,
    descriptors: [(child: Int32, ours: Int32)]
  ) throws(SpawnFailure) -> pid_t {
    let named = Set(descriptors.map(\.child))
    let first = (named.max() ?? -1) + 1
    return try start(executable, arguments, environment, isOnPath: false) { actions, attributes in
      duplicate(descriptors, &actions)
      for number in 0..<first where !named.contains(number) {
        posix_spawn_file_actions_addclose(&actions, number)
      }
      var all = sigset_t()
      sigfillset(&all)
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigdefault(&attributes, &all)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setpgroup(&attributes, 0)
      let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setflags(&attributes, Int16(flags))
      return prompter_child_closes_from(&actions, first)
    }
  }

  /// Starts a program of the PATH in the process group of this process, with its environment.
  ///
  /// So the program may use the terminal, and the keys of the terminal stop it. It shares the
  /// standard streams that are not named, and gets no other descriptor. SIGPIPE has its default
  /// action: this process may ignore that signal, and a child would inherit that.
  ///
  /// - Parameters:
  ///   - words: the name of the program and its arguments.
  ///   - descriptors: pairs of the number in the child and the number in this process.
  /// - Throws: `SpawnFailure` with the error number of the failed call.
  package static func spawnInForeground(
    _ words: [String], descriptors: [(child: Int32, ours: Int32)] = []
  ) throws(SpawnFailure) -> pid_t {
    let first = max(STDERR_FILENO, descriptors.map(\.child).max() ?? 0) + 1
    return try start(words.first ?? "", Array(words.dropFirst()), nil, isOnPath: true) {
      actions, attributes in
      duplicate(descriptors, &actions)
      var broken = sigset_t()
      sigemptyset(&broken)
      sigaddset(&broken, SIGPIPE)
      posix_spawnattr_setsigdefault(&attributes, &broken)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
      return prompter_child_closes_from(&actions, first)
    }
  }

  /// Runs a program of the PATH to its end, as `spawnInForeground` does.
  ///
  /// - Returns: the bytes of its standard output, and its exit status as `waitpid` gives it.
  package static func run(
    _ words: [String]
  ) throws(SpawnFailure) -> (output: [UInt8], status: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SpawnFailure(executable: words.first ?? "", code: errno) }
    defer { close(ends[0]) }
    // The child must not hold the reading end open, nor any other child the writing one.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let pid: pid_t
    do {
      defer { close(ends[1]) }
      pid = try spawnInForeground(words, descriptors: [(STDOUT_FILENO, ends[1])])
    }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(ends[0], &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += chunk[..<count]
    }
    return (output, wait(pid))
  }

  /// Reaps a child without waiting; nil while the child is running.
  package static func reap(_ pid: pid_t) -> Int32? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == 0 ? nil : status
  }

  /// Waits for the end of a child and reaps it.
  ///
  /// - Returns: its exit status as `waitpid` gives it.
  package static func wait(_ pid: pid_t) -> Int32 {
    var status: Int32 = -1
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The exit code in an exit status, or 128 plus the signal that ended the child.
  package static func exitCode(status: Int32) -> Int32 {
    // The same as the macros WIFEXITED and WEXITSTATUS.
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Text for an exit status: "exit status 3", "signal 9 (Killed)".
  package static func describe(status: Int32) -> String {
    let signal = status & 0x7f
    if signal == 0 { return "exit status \((status >> 8) & 0xff)" }
    return "signal \(signal) (\(strsignal(signal).map { String(cString: $0) } ?? "unknown"))"
  }

  private static func duplicate(
    _ descriptors: [(child: Int32, ours: Int32)], _ actions: inout posix_spawn_file_actions_t
  ) {
    for pair in descriptors {
      // dup2 clears close-on-exec, except if both numbers are equal. Therefore the descriptors of
      // the callers have numbers above those of the child.
      posix_spawn_file_actions_adddup2(&actions, pair.ours, pair.child)
    }
  }

  /// Calls posix_spawn.
  ///
  /// - Parameters:
  ///   - environment: nil for the environment of this process.
  ///   - isOnPath: whether a name without a slash is searched for on the PATH.
  ///   - prepare: sets the descriptors and signals of the child; returns 0 or an error number.
  private static func start(
    _ executable: String, _ arguments: [String], _ environment: [String: String]?,
    isOnPath: Bool,
    prepare: (inout posix_spawn_file_actions_t, inout posix_spawnattr_t) -> Int32
  ) throws(SpawnFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let code = prepare(&actions, &attributes)
    guard code == 0 else { throw SpawnFailure(executable: executable, code: code) }

    let call = isOnPath ? posix_spawnp : posix_spawn
    var pid: pid_t = 0
    // A program that was just written is busy (ETXTBSY) while a child of another thread, before its
    // exec, holds a copy of the descriptor through which it was written.
    var outcome = ETXTBSY
    for attempt in 0..<100 where outcome == ETXTBSY {
      if attempt > 0 { usleep(5_000) }
      outcome = withCStrings([executable] + arguments) { argv in
        guard let environment else {
          return call(&pid, executable, &actions, &attributes, argv, environ)
        }
        // A NUL would end a variable early, and the rest would be lost without an error.
        let variables = environment.map { name, value in
          String(decoding: "\(name)=\(value)".utf8.filter { $0 != 0 }, as: UTF8.self)
        }
        return withCStrings(variables) { envp in
          call(&pid, executable, &actions, &attributes, argv, envp)
        }
      }
    }
    guard outcome == 0 else { throw SpawnFailure(executable: executable, code: outcome) }
    return pid
  }

  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { pointer in
      // The array is never empty, because it ends in nil, so it has an address.
      body(pointer.baseAddress!)
    }
  }

  /// Opens /dev/null for a child, with a number above the child's descriptors.
  package static func openNull() -> Int32 {
    let low = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(low) }
    return fcntl(low, F_DUPFD_CLOEXEC, 10)
  }
}
