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

  package var description: String {
    "cannot start \(executable): \(String(cString: strerror(code)))"
  }
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
    var fileActions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&fileActions)
    defer { posix_spawn_file_actions_destroy(&fileActions) }
    for pair in descriptors {
      // dup2 clears close-on-exec, except if both numbers are equal. Therefore the descriptors of
      // the callers have numbers above those of the child.
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
    // A program that was just written is busy (ETXTBSY) while a child of another thread, before its
    // exec, holds a copy of the descriptor through which it was written.
    var outcome = ETXTBSY
    for attempt in 0..<100 where outcome == ETXTBSY {
      if attempt > 0 { usleep(5_000) }
      outcome = withCStrings([executable] + arguments) { argv in
        guard let environment else {
          return posix_spawn(&pid, executable, &fileActions, &attributes, argv, environ)
        }
        // A NUL would end a variable early, and the rest would be lost without an error.
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

  /// Reaps a child without waiting; nil while the child is running.
  package static func reap(_ pid: pid_t) -> Int32? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == 0 ? nil : status
  }

  /// Text for an exit status: "exit status 3", "signal 9 (Killed)".
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
