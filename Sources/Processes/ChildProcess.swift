import CLinux
import Glibc

/// The error for a program that could not be started.
package struct SpawnFailure: Error, CustomStringConvertible {
  package var executable: String
  /// The `errno` of the system call that failed.
  package var code: Int32

  package init(executable: String, code: Int32) {
    self.executable = executable
    self.code = code
  }

  /// The error text of the operating system for `code`.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String { "cannot start \(executable): \(reason)" }
}

/// Starts child processes and reads their exit status (reaps them).
///
/// The code uses posix_spawn and not the type `Process` of Foundation. With `Process`, children
/// would inherit all descriptors, the parent would have to handle SIGPIPE, and the daemon would
/// have to load the whole library Foundation.
///
/// The thread that starts a child must live longer than the child. Each child asks the kernel for
/// SIGKILL at the end of its parent (PR_SET_PDEATHSIG). But the kernel already kills the child when
/// the *thread* that started the child ends. Therefore, do not start a child on a worker thread of
/// Dispatch, because Dispatch ends an idle worker thread.
package enum ChildProcess {
  /// Starts a program in its own process group.
  ///
  /// In the program, all signals have their default actions, and only `descriptors` are open. The
  /// child closes all other descriptors before its exec, because some descriptors of the daemon are
  /// not close-on-exec. Examples are the accepted connections and the epoll descriptors of
  /// swift-nio.
  ///
  /// - Parameter descriptors: the open descriptors of the program, as pairs. `ours` is a descriptor
  ///   of this process. The child gets a copy of `ours`. In the child, this copy has the descriptor
  ///   number `child`.
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

  /// Searches for a program in the PATH and starts it in the foreground, with the environment of
  /// this process.
  ///
  /// The started program is in the process group of the caller. Therefore, the program can use the
  /// terminal, and Ctrl-C also stops the program. The program gets `descriptors` and the standard
  /// streams of this process, but no other descriptors. In the started program, SIGPIPE has its
  /// default action, even if this process ignores SIGPIPE.
  ///
  /// - Parameters:
  ///   - words: the name of the program and its arguments.
  ///   - descriptors: the descriptors for the child. The first number of a pair is the descriptor
  ///     in the child. The second number is the descriptor in this process (see `spawn`).
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

  /// Searches for a program in the directories of `PATH`, runs the program in the same way as
  /// `spawnInForeground`, and waits for the end of the program.
  ///
  /// - Returns: the bytes that the program wrote to its standard output, and its exit status as
  ///   `waitpid` reports it.
  package static func run(
    _ words: [String]
  ) throws(SpawnFailure) -> (output: [UInt8], status: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SpawnFailure(executable: words.first ?? "", code: errno) }
    defer { close(ends[0]) }
    // The child must not inherit the reading end of the pipe. Other children must not inherit the
    // writing end. If a second child kept the writing end open, the daemon would never reach the
    // end of the output.
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

  /// Returns true if a child has ended. The function does not read the exit status. Until `wait` or
  /// `reap` reads the exit status, no other process can get the process id or the process group of
  /// the child.
  package static func hasEnded(_ pid: pid_t) -> Bool {
    var found = siginfo_t()
    let code = waitid(P_PID, id_t(pid), &found, WEXITED | WNOHANG | WNOWAIT)
    // If the child runs, the call succeeds and writes no signal number.
    return code != 0 || found.si_signo == SIGCHLD
  }

  /// Reads the exit status of a child. The function does not wait for the end of the child.
  ///
  /// - Returns: nil while the child runs, and -1 if `pid` is not a child of this process. If the
  ///   child has ended, the result is the exit status as `waitpid` reports it.
  package static func reap(_ pid: pid_t) -> Int32? {
    var status: Int32 = -1
    return waitpid(pid, &status, WNOHANG) == 0 ? nil : status
  }

  /// Waits until a child ends.
  ///
  /// - Returns: the exit status as `waitpid` reports it.
  package static func wait(_ pid: pid_t) -> Int32 {
    var status: Int32 = -1
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Converts the status from `waitpid` into an exit code. If a signal ended the child, the exit
  /// code is 128 plus the signal number.
  package static func exitCode(status: Int32) -> Int32 {
    // Swift cannot use the macros WIFEXITED and WEXITSTATUS, so this code computes their values.
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Describes the wait status of a process in words. Examples: "exit status 3", "signal 9
  /// (Killed)".
  package static func describe(status: Int32) -> String {
    let signal = status & 0x7f
    if signal == 0 { return "exit status \((status >> 8) & 0xff)" }
    return "signal \(signal) (\(strsignal(signal).map { String(cString: $0) } ?? "unknown"))"
  }

  private static func duplicate(
    _ descriptors: [(child: Int32, ours: Int32)], _ actions: inout posix_spawn_file_actions_t
  ) {
    for pair in descriptors {
      // dup2 removes close-on-exec only if the two descriptors have different numbers. If the
      // number `pair.child` is already in use, dup2 closes the descriptor with this number.
      // Therefore, in `descriptors`, every number `ours` must be higher than every number `child`.
      posix_spawn_file_actions_adddup2(&actions, pair.ours, pair.child)
    }
  }

  /// Calls posix_spawn.
  ///
  /// - Parameters:
  ///   - environment: the environment of the program; nil for the environment of this process.
  ///   - isOnPath: true if the system searches the directories of PATH for a program name without a
  ///     slash.
  ///   - prepare: a function that sets the descriptors and signals of the child, and returns 0 or
  ///     an error number.
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
    // The kernel refuses to start a program while any process has the program file open for writing
    // (ETXTBSY). A child that a different thread has just started can keep this file open until the
    // child calls exec. Therefore, try again.
    var outcome = ETXTBSY
    for attempt in 0..<100 where outcome == ETXTBSY {
      if attempt > 0 { usleep(5_000) }
      outcome = withCStrings([executable] + arguments) { argv in
        guard let environment else {
          return call(&pid, executable, &actions, &attributes, argv, environ)
        }
        // Remove NUL bytes. A NUL byte would end the variable, and the rest of the value would be
        // lost without an error.
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
      // `baseAddress` is never nil, because the array contains at least one element, the nil at its
      // end.
      body(pointer.baseAddress!)
    }
  }

  /// Opens /dev/null for a child. The number of the descriptor is at least 10, so it differs from
  /// all descriptor numbers that the child uses.
  package static func openNull() -> Int32 {
    let low = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(low) }
    return fcntl(low, F_DUPFD_CLOEXEC, 10)
  }
}
