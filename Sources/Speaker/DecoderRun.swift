import Glibc

/// What one decoder child left behind.
struct DecoderOutput {
  var wav: [UInt8] = []
  var report: [UInt8] = []
  /// "exit status 0", "signal 9 (Killed)".
  var exit = ""
}

/// One run of `prompter-sound decode`: feeds the upload, collects both outputs, keeps the bounds.
struct DecoderRun {
  /// 60 s of canonical sound with its header, and a little more than any report.
  private static let largestOutput = 60 * 96_000 + 1_024
  private static let largestReport = 16_384

  private let pid: pid_t
  private var upload: Int32
  private let wav: Int32
  private let report: Int32
  private var output = DecoderOutput()

  /// Runs to the end on this thread.
  static func perform(
    executable: String, upload: [UInt8], boundMilliseconds: Int64
  ) -> Result<DecoderOutput, ToneRefusal> {
    do {
      var run = try DecoderRun(executable: executable)
      return run.finish(upload: upload, deadline: monotonicMilliseconds() + boundMilliseconds)
    } catch {
      return .failure(.decoderFailed(sentence: "\(error)"))
    }
  }

  private init(executable: String) throws(SpawnFailure) {
    let pairs = (0..<3).compactMap { _ in DescriptorPair.make() }
    guard pairs.count == 3 else {
      let code = errno
      for pair in pairs { pair.close() }
      throw SpawnFailure(executable: executable, code: code)
    }
    // Decoders complain on standard error in words that come from the file: not into our log.
    let null = openNull()
    defer { close(null) }
    do {
      pid = try ChildProcess.spawn(
        executable, arguments: ["decode", "--report-fd", "3", "--parent", "\(getpid())"],
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
    wav = pairs[1].reading
    report = pairs[2].reading
    for descriptor in [upload, wav, report] { setNonBlocking(descriptor) }
  }

  private mutating func finish(
    upload bytes: [UInt8], deadline: Int64
  ) -> Result<DecoderOutput, ToneRefusal> {
    defer {
      closeUpload()
      close(wav)
      close(report)
    }
    let trouble = exchange(bytes[...], deadline: deadline)
    if trouble != nil { kill(pid, SIGKILL) }
    var status: Int32 = 0
    // Killed, or at the end of both outputs: there is nothing left for it to hang in.
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    output.exit = ChildProcess.describe(status: status)
    if let trouble { return .failure(.decoderFailed(sentence: trouble)) }
    return .success(output)
  }

  /// Feeds and reads until both outputs end; returns what went wrong, if anything.
  private mutating func exchange(_ bytes: ArraySlice<UInt8>, deadline: Int64) -> String? {
    var rest = bytes
    var isWAVOpen = true
    var isReportOpen = true
    while isWAVOpen || isReportOpen {
      let remaining = deadline - monotonicMilliseconds()
      if remaining <= 0 { return "the sound decoder took too long for this file" }
      if upload >= 0 {
        // Nil: it has seen enough and closed its end.
        if let sent = sendAvailable(upload, rest.prefix(262_144)) {
          rest = rest.dropFirst(sent)
        } else {
          rest = []
        }
        if rest.isEmpty { closeUpload() }
      }
      wait(wav: isWAVOpen, report: isReportOpen, milliseconds: remaining)
      if isWAVOpen { isWAVOpen = Self.collect(wav, into: &output.wav) }
      if isReportOpen { isReportOpen = Self.collect(report, into: &output.report) }
      if output.wav.count > Self.largestOutput || output.report.count > Self.largestReport {
        return "the sound decoder returned more than a tone can be"
      }
    }
    return nil
  }

  private func wait(wav isWAVOpen: Bool, report isReportOpen: Bool, milliseconds: Int64) {
    var polled: [pollfd] = []
    if isWAVOpen { polled.append(pollfd(fd: wav, events: Int16(POLLIN), revents: 0)) }
    if isReportOpen { polled.append(pollfd(fd: report, events: Int16(POLLIN), revents: 0)) }
    if upload >= 0 { polled.append(pollfd(fd: upload, events: Int16(POLLOUT), revents: 0)) }
    poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
  }

  private mutating func closeUpload() {
    if upload >= 0 { close(upload) }
    upload = -1
  }

  /// False when that output has ended.
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
