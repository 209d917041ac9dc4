import Glibc

/// A program that could not be started, and why.
struct SpawnFailure: Error, CustomStringConvertible {
  var executable: String
  var code: Int32

  var description: String { "cannot start \(executable): \(errorText(code))" }
}

/// The C library's sentence for an error number.
func errorText(_ code: Int32) -> String {
  String(cString: strerror(code))
}

/// Milliseconds of CLOCK_MONOTONIC: the time base of every deadline in this room.
func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}

/// Starts programs and reaps them. posix_spawn rather than Foundation's Process: that one inherits
/// descriptors, moves SIGPIPE handling to us anyway, and brings all of Foundation into the daemon.
///
/// The thread that spawns must outlive the child: PR_SET_PDEATHSIG, which the child sets on itself,
/// fires when the parent *thread* ends, and a Dispatch worker ends when it is bored.
enum ChildProcess {
  /// Starts a program in its own process group with default signals, and with the descriptors given
  /// (child number, ours). Ours are all close-on-exec; against a library's that is not, the
  /// child closes the rest first thing (Swift cannot see glibc's closefrom action).
  /// - Throws: `SpawnFailure` with the error number of the failed call.
  static func spawn(
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
    var code = ETXTBSY
    for attempt in 0..<100 where code == ETXTBSY {
      if attempt > 0 { usleep(5_000) }
      code = withCStrings([executable] + arguments) { argv in
        guard let environment else {
          return posix_spawn(&pid, executable, &fileActions, &attributes, argv, environ)
        }
        return withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
          posix_spawn(&pid, executable, &fileActions, &attributes, argv, envp)
        }
      }
    }
    guard code == 0 else { throw SpawnFailure(executable: executable, code: code) }
    return pid
  }

  /// Collects an exit without waiting; nil while the child has not ended.
  static func reap(_ pid: pid_t) -> Int32? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == 0 ? nil : status
  }

  /// "exit status 3", "signal 9 (Killed)".
  static func describe(status: Int32) -> String {
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
}

/// A thread that is ours for as long as its body runs, because children die with it.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let code = pthread_create(
    &thread, nil,
    { argument in
      // Non-null: it is the box passed below.
      Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  guard code == 0 else {
    box.release()
    return false
  }
  pthread_detach(thread)
  return true
}
