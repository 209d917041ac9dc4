import CAV
@preconcurrency import Glibc

/// The upload as an input of libavformat. With this input, libavformat opens no file and no network
/// address.
final class MemoryInput {
  private static let bufferSize = 65_536

  private let bytes: [UInt8]
  private var position = 0
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard let buffer = av_malloc(Self.bufferSize) else { return nil }
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { MemoryInput.of($0)?.read(into: $1, atMost: Int($2)) ?? prompter_av_end() }, nil,
      { MemoryInput.of($0)?.seek(to: $1, $2) ?? Int64(prompter_av_invalid()) })
    if context == nil {
      av_free(buffer)
      return nil
    }
  }

  deinit {
    // libavformat can replace the buffer. Therefore free the buffer that `context` contains now,
    // and not the buffer that `init` created.
    if let buffer = context?.pointee.buffer { av_free(buffer) }
    avio_context_free(&context)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> MemoryInput? {
    context.map { Unmanaged<MemoryInput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func read(into target: UnsafeMutablePointer<UInt8>?, atMost wanted: Int) -> Int32 {
    let count = min(wanted, bytes.count - position)
    guard let target, count > 0 else { return prompter_av_end() }
    bytes.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { target.update(from: base + position, count: count) }
    }
    position += count
    return Int32(count)
  }

  private func seek(to offset: Int64, _ whence: Int32) -> Int64 {
    let base: Int
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(bytes.count)
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = bytes.count
    default: return Int64(prompter_av_invalid())
    }
    let (target, overflow) = base.addingReportingOverflow(Int(offset))
    guard !overflow, (0...bytes.count).contains(target) else { return Int64(prompter_av_invalid()) }
    position = target
    return Int64(target)
  }
}
