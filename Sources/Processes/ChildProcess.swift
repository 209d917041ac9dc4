import CLinux
import Glibc

/// A program that could not be started, and why.
package struct SpawnFailure: Error, CustomStringConvertible {
  package var executable: String
  /// As `errno` says it.
  package var code: Int32

  package init(executable: String, code: Int32) {
    self.executable = executable
    self.code = code
  }

  package var description: String {
    "cannot start \(executable): \(String(cString: strerror(code)))"
  }
}

/// Starts programs and reaps them. posix_spawn rather than Foundation's Process: that one inherits
/// descriptors, moves SIGPIPE handling to us anyway, and brings all of Foundation into the daemon.
///
/// The thread that spawns must outlive the child: PR_SET_PDEATHSIG, which the child sets on itself,
/// fires when the parent *thread* ends, and a Dispatch worker ends when it is bored.
package enum ChildProcess {
  /// Starts a program in its own process group with default signals, and with exactly the descriptors
  /// given (child number, ours). The child closes all others before its exec: swift-nio's accepted
  /// connections and its epoll descriptors are not close-on-exec, and a library's need not be either.
  /// - Throws: `SpawnFailure` with the error number of the failed call.
  package static func spawn(
    _ executable: String, arguments: [String], environment: [String: String]?,
    descriptors: [(child: Int32, ours: Int32)]
  ) throws(SpawnFailure) -> pid_t {
    var fileActions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&fileActions)
    defer { posix_spawn_file_actions_destroy(&fileActions) }
    for pair in descriptors {
      // dup2 clears close-on-exec, except onto itself: callers keep their own above the child's.
      posix_spawn_file_actions_adddup2(&fileActions, pair.ours, pair.child)
    }
    let named = Set(descriptors.map(\.child))
    let first = (named.max() ?? -1) + 1
    for number in 0..<first where !named.contains(number) {
      posix_spawn_file_actions_addclose(&fileActions, number)
    }
    let code = prompter_child_closes_from(&fileActions, first)
    guard code == 0 else { throw SpawnFailure(executable: executable, code: code) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid: pid_t = 0
    // A program that was just written is busy while another thread's child, not yet at its exec,
    // holds a copy of the descriptor it was written through.
    var outcome = ETXTBSY
    for attempt in 0..<100 where outcome == ETXTBSY {
      if attempt > 0 { usleep(5_000) }
      outcome = withCStrings([executable] + arguments) { argv in
        guard let environment else {
          return posix_spawn(&pid, executable, &fileActions, &attributes, argv, environ)
        }
        // A NUL would end a variable early, and the rest would be lost without a word.
        let variables = environment.map { name, value in
          String(decoding: "\(name)=\(value)".utf8.filter { $0 != 0 }, as: UTF8.self)
        }
        return withCStrings(variables) { envp in
          posix_spawn(&pid, executable, &fileActions, &attributes, argv, envp)
        }
      }
    }
    guard outcome == 0 else { throw SpawnFailure(executable: executable, code: outcome) }
    return pid
  }

  /// Collects an exit without waiting; nil while the child has not ended.
  package static func reap(_ pid: pid_t) -> Int32? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == 0 ? nil : status
  }

  /// "exit status 3", "signal 9 (Killed)".
  package static func describe(status: Int32) -> String {
    let signal = status & 0x7f
    if signal == 0 { return "exit status \((status >> 8) & 0xff)" }
    return "signal \(signal) (\(strsignal(signal).map { String(cString: $0) } ?? "unknown"))"
  }

  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { pointer in
      // Never empty, it ends in nil, so it has an address.
      body(pointer.baseAddress!)
    }
  }

  /// /dev/null for a child, numbered above what a child has.
  package static func openNull() -> Int32 {
    let low = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(low) }
    return fcntl(low, F_DUPFD_CLOEXEC, 10)
  }
}
