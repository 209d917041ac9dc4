import CLinux
import Glibc

/// Starts other programs: tar, ssh or an editor.
package enum Program {
  /// Starts a program found on the PATH.
  ///
  /// - Parameters:
  ///   - words: its name and arguments.
  ///   - input: its standard input; nil for this process's. The caller closes the descriptor.
  ///   - output: its standard output, in the same way.
  ///   - errors: its standard error, in the same way.
  ///   - third: its descriptor 3; nil for none.
  /// - Returns: its process id. The caller must wait for it.
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
    // The program gets no other descriptor: it must not use a connection to the home.
    guard prompter_child_closes_from(&actions, third == nil ? 3 : 4) == 0 else {
      throw Failure.badUsage("cannot run \(words.first ?? ""): there is not enough memory")
    }
    // This process ignores SIGPIPE, and the child would inherit that.
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
    // As the macros WIFEXITED and WEXITSTATUS do.
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Returns the standard output of a program; nil if it fails or does not exist.
  package static func output(_ words: [String]) -> String? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // The child must not keep the reading end open, and no other child the writing end.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let pid = try? start(words, output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    guard let pid else { return nil }
    let said = Files.readToEnd(ends[0])
    return wait(pid) == 0 ? String(decoding: said, as: UTF8.self) : nil
  }
}
