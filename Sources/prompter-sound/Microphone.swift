@preconcurrency import CALSA
@preconcurrency import Glibc
import SoundProcessing

/// An open microphone. The format is signed 16 bit at 48 kHz, mono, and the reads do not block.
/// `deinit` closes the microphone.
final class Microphone {
  /// The size of the buffer, as a time. A buffer of a fifth of a second loses no samples on a busy
  /// machine.
  private static let bufferMicroseconds: UInt32 = 200_000
  private static let periodMicroseconds: UInt32 = 20_000

  private let pcm: OpaquePointer

  /// Opens the sound device directly. If the sound device does not support the sound format of
  /// Prompter, the function opens the device through the ALSA plug-in `plug`, which converts the
  /// format.
  ///
  /// - Throws: the `DeviceTrouble` of the first attempt, if both attempts fail.
  init(name: String) throws(DeviceTrouble) {
    do {
      pcm = try Self.open(name)
    } catch let trouble where trouble.call.hasPrefix("open") {
      throw trouble
    } catch {
      do {
        pcm = try Self.open("plug:SLAVE=\"\(name)\"")
      } catch _ {
        throw error
      }
    }
  }

  deinit {
    snd_pcm_drop(pcm)
    snd_pcm_close(pcm)
  }

  /// Reads the recorded samples, at most one full buffer.
  ///
  /// - Returns: the number of samples; 0 if no new samples are available.
  func read(into buffer: inout [Int16]) throws(DeviceTrouble) -> Int {
    let taken = buffer.withUnsafeMutableBytes {
      snd_pcm_readi(pcm, $0.baseAddress, snd_pcm_uframes_t($0.count / 2))
    }
    if taken == -Int(EAGAIN) || taken == -Int(EINTR) { return 0 }
    if taken == -Int(EPIPE) || taken == -Int(ESTRPIPE) {
      // The recorder read too late and lost samples. Continue with the next samples.
      let code = snd_pcm_prepare(pcm)
      guard code >= 0 else { throw DeviceTrouble(call: "prepare", code: code) }
      snd_pcm_start(pcm)
      return 0
    }
    guard taken >= 0 else { throw DeviceTrouble(call: "read", code: Int32(taken)) }
    return taken
  }

  private static func open(_ name: String) throws(DeviceTrouble) -> OpaquePointer {
    var handle: OpaquePointer?
    let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
    guard code >= 0, let pcm = handle else { throw DeviceTrouble(call: "open", code: code) }
    do {
      try negotiate(pcm)
      return pcm
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
  }

  private static func check(_ call: String, _ code: Int32) throws(DeviceTrouble) {
    if code < 0 { throw DeviceTrouble(call: call, code: code) }
  }

  private static func negotiate(_ pcm: OpaquePointer) throws(DeviceTrouble) {
    var hardware: OpaquePointer?
    try check("allocate", snd_pcm_hw_params_malloc(&hardware))
    defer { snd_pcm_hw_params_free(hardware) }
    try check("parameters", snd_pcm_hw_params_any(pcm, hardware))
    try check(
      "access", snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    try check("format", snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16_LE))
    try check("rate", snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(CanonicalWAV.rate), 0))
    try check("channels", snd_pcm_hw_params_set_channels(pcm, hardware, 1))
    var microseconds = bufferMicroseconds
    var direction: Int32 = 0
    try check(
      "buffer", snd_pcm_hw_params_set_buffer_time_near(pcm, hardware, &microseconds, &direction))
    microseconds = periodMicroseconds
    direction = 0
    try check(
      "period", snd_pcm_hw_params_set_period_time_near(pcm, hardware, &microseconds, &direction))
    try check("set", snd_pcm_hw_params(pcm, hardware))
    try check("start", snd_pcm_start(pcm))
  }
}
