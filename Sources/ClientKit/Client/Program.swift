import CLinux
import Glibc

/// Another program: tar, ssh or an editor.
package enum Program {
  /// Starts a program found on the PATH.
  ///
  /// - Parameters:
  ///   - words: its name and arguments.
  ///   - input: what becomes its standard input; ours where it is nil. The descriptor stays ours.
  ///   - output: the same for its standard output.
  ///   - errors: the same for its standard error.
  ///   - third: what becomes its descriptor 3; nothing where it is nil.
  /// - Returns: its process id, to be waited for.
  package static func start(
    _ words: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil,
    third: Int32? = nil
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors, 2) }
    if let third { posix_spawn_file_actions_adddup2(&actions, third, 3) }
    // Of ours it gets no other: a connection to the home is for nobody else.
    guard prompter_child_closes_from(&actions, third == nil ? 3 : 4) == 0 else {
      throw Failure.badUsage("cannot run \(words.first ?? ""): there is no memory left")
    }
    // We ignore SIGPIPE, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let name = words.first ?? ""
    let code = posix_spawnp(&pid, name, &actions, &attributes, &arguments, environ)
    guard code == 0 else {
      throw Failure.badUsage("cannot run \(name): \(String(cString: strerror(code)))")
    }
    return pid
  }

  /// Waits for the end of a program.
  ///
  /// - Returns: its exit code, or 128 and the signal that ended it.
  package static func wait(_ pid: pid_t) -> Int32 {
    var status: Int32 = -1
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    // What the macros WIFEXITED and WEXITSTATUS say.
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// What a program prints, where it ends well; nil where it does not, or is not there.
  package static func output(_ words: [String]) -> String? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // The child must not hold the reading end open, nor any other child the writing one.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let pid = try? start(words, output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    guard let pid else { return nil }
    let said = Files.readToEnd(ends[0])
    return wait(pid) == 0 ? String(decoding: said, as: UTF8.self) : nil
  }
}
