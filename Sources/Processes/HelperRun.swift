import Glibc

/// The output of a helper program that has ended.
package struct HelperOutput: Sendable, Hashable {
  /// The bytes that the helper wrote to standard output.
  package var bytes: [UInt8] = []
  /// The bytes that the helper wrote to descriptor 3.
  package var report: [UInt8] = []
  /// The exit status of the helper in words, for example "exit status 0" or "signal 9 (Killed)".
  package var exit = ""
}

/// The reason why a helper program produced no output.
package struct HelperFailure: Error, Sendable, Hashable {
  /// The reason why the helper produced no output, as one sentence for a caretaker.
  package var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

/// A helper program with its arguments and limits. A helper runs for a short time, reads a sequence
/// of bytes, and writes a sequence of bytes.
package struct Helper: Sendable {
  var executable: String
  var arguments: [String]
  /// The name of the helper in a sentence for a caretaker, for example "the sound decoder".
  var name: String
  var boundMilliseconds: Int64
  var largestOutput: Int

  /// - Parameters:
  ///   - name: the name of the helper in a sentence for a caretaker, for example "the voice".
  ///   - boundMilliseconds: the maximum run time, in milliseconds of the monotonic clock. If a
  ///     helper runs longer, `HelperRun` kills the helper.
  ///   - largestOutput: the maximum size of the output in bytes.
  package init(
    executable: String, arguments: [String], name: String, boundMilliseconds: Int64,
    largestOutput: Int
  ) {
    self.executable = executable
    self.arguments = arguments
    self.name = name
    self.boundMilliseconds = boundMilliseconds
    self.largestOutput = largestOutput
  }
}

/// One run of a helper program.
///
/// A run writes to the standard input of the helper, and reads from the standard output and
/// descriptor 3 of the helper. A run also enforces the limits on time and size.
package struct HelperRun {
  /// The maximum size of a report, in bytes. No helper program writes a longer report.
  private static let largestReport = 16_384

  private let helper: Helper
  private let pid: pid_t
  private var upload: Int32
  private let result: Int32
  private let report: Int32
  private var output = HelperOutput()

  /// Runs a helper to its end on a separate thread.
  ///
  /// The run blocks its thread until the helper ends, so it must not use a thread that runs Swift
  /// tasks. In addition, the thread must not end before the helper: if the thread that started a
  /// child ends, the kernel kills the child.
  package static func perform(
    _ helper: Helper, input: [UInt8]
  ) async -> Result<HelperOutput, HelperFailure> {
    await withCheckedContinuation { continuation in
      let isStarted = startThread {
        continuation.resume(returning: run(helper, input: input))
      }
      if !isStarted {
        continuation.resume(returning: .failure(HelperFailure("cannot start a thread")))
      }
    }
  }

  /// Runs a helper to its end on the present thread. This thread must not end before the helper
  /// (see `perform`).
  package static func performHere(
    _ helper: Helper, input: [UInt8]
  ) -> Result<HelperOutput, HelperFailure> {
    run(helper, input: input)
  }

  private static func run(_ helper: Helper, input: [UInt8]) -> Result<HelperOutput, HelperFailure> {
    do {
      var run = try HelperRun(helper)
      return run.finish(
        upload: input, deadline: monotonicMilliseconds() + helper.boundMilliseconds)
    } catch {
      return .failure(HelperFailure("\(error)"))
    }
  }

  private init(_ helper: Helper) throws(SpawnFailure) {
    self.helper = helper
    var pairs: [DescriptorPair] = []
    while pairs.count < 3 {
      guard let pair = DescriptorPair.make() else {
        let code = errno
        for pair in pairs { pair.close() }
        throw SpawnFailure(executable: helper.executable, code: code)
      }
      pairs.append(pair)
    }
    // A helper reads a file of a user and writes messages to standard error. These messages can
    // contain text from the file. The journal must not contain this text, so standard error is
    // `/dev/null`.
    let null = ChildProcess.openNull()
    defer { close(null) }
    do {
      pid = try ChildProcess.spawn(
        helper.executable, arguments: helper.arguments,
        environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
        descriptors: [
          (0, pairs[0].reading), (1, pairs[1].writing), (2, null), (3, pairs[2].writing),
        ])
    } catch {
      for pair in pairs { pair.close() }
      throw error
    }
    close(pairs[0].reading)
    close(pairs[1].writing)
    close(pairs[2].writing)
    upload = pairs[0].writing
    result = pairs[1].reading
    report = pairs[2].reading
    for descriptor in [upload, result, report] { setNonBlocking(descriptor) }
  }

  private mutating func finish(
    upload bytes: [UInt8], deadline: Int64
  ) -> Result<HelperOutput, HelperFailure> {
    defer {
      closeUpload()
      close(result)
      close(report)
    }
    let trouble = exchange(bytes[...], deadline: deadline)
    if trouble != nil { kill(pid, SIGKILL) }
    // This wait is short, because the helper was killed or has closed both of its outputs.
    output.exit = ChildProcess.describe(status: ChildProcess.wait(pid))
    if let trouble { return .failure(HelperFailure(trouble)) }
    return .success(output)
  }

  /// Writes the input, and reads both outputs until the helper has closed both outputs. The result
  /// is nil after a success, or else the text of an error.
  private mutating func exchange(_ bytes: ArraySlice<UInt8>, deadline: Int64) -> String? {
    var rest = bytes
    var isOutputOpen = true
    var isReportOpen = true
    while isOutputOpen || isReportOpen {
      let remaining = deadline - monotonicMilliseconds()
      if remaining <= 0 { return "\(helper.name) took too long" }
      if upload >= 0 {
        // If `sendAvailable` returns nil, the helper has closed its input. In this case, the helper
        // does not need the rest of the upload.
        if let sent = sendAvailable(upload, rest.prefix(262_144)) {
          rest = rest.dropFirst(sent)
        } else {
          rest = []
        }
        if rest.isEmpty { closeUpload() }
      }
      wait(result: isOutputOpen, report: isReportOpen, milliseconds: remaining)
      if isOutputOpen { isOutputOpen = Self.collect(result, into: &output.bytes) }
      if isReportOpen { isReportOpen = Self.collect(report, into: &output.report) }
      if output.bytes.count > helper.largestOutput || output.report.count > Self.largestReport {
        return "\(helper.name) returned too much data"
      }
    }
    return nil
  }

  private func wait(result isOutputOpen: Bool, report isReportOpen: Bool, milliseconds: Int64) {
    var polled: [pollfd] = []
    if isOutputOpen { polled.append(pollfd(fd: result, events: Int16(POLLIN), revents: 0)) }
    if isReportOpen { polled.append(pollfd(fd: report, events: Int16(POLLIN), revents: 0)) }
    if upload >= 0 { polled.append(pollfd(fd: upload, events: Int16(POLLOUT), revents: 0)) }
    poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
  }

  private mutating func closeUpload() {
    if upload >= 0 { close(upload) }
    upload = -1
  }

  /// Reads all bytes that are available on one output of the program. The result is false if the
  /// program has closed the output.
  private static func collect(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    switch readAvailable(descriptor) {
    case .bytes(let more):
      bytes += more
      return true
    case .nothingYet: return true
    case .end: return false
    }
  }
}
