@preconcurrency import CALSA
@preconcurrency import Glibc
import Sandbox
import SoundProcessing

/// The error of a failed ALSA call.
struct DeviceTrouble: Error, CustomStringConvertible {
  var call: String
  var code: Int32

  var description: String { "\(call): \(String(cString: snd_strerror(code)))" }
  /// True if another program uses the sound device now. A later attempt to open the sound device
  /// can succeed, because the other program can close the sound device.
  var isBusy: Bool { code == -EBUSY || code == -EAGAIN }
}

/// An open playback device. The format is signed 16 bit at 48 kHz, and the writes do not block.
/// `deinit` closes the sound device.
final class Device {
  static let bufferMicroseconds: UInt32 = 100_000
  static let periodMicroseconds: UInt32 = 20_000

  let name: String
  let channels: Int
  let periodFrames: Int
  let bufferFrames: Int
  private let pcm: OpaquePointer

  /// Reads the configuration of ALSA before the first ring. ALSA needs about 15 ms for this, and
  /// the first ring must not wait for it.
  static func warmUp() {
    let code = snd_config_update()
    if code < 0 {
      printError("cannot read the ALSA configuration: \(DeviceTrouble(call: "update", code: code))")
    }
  }

  /// Opens the sound device directly. If the sound device does not support the sound format of
  /// Prompter, the function opens the device through the ALSA plug-in `plug`, which converts the
  /// format.
  ///
  /// - Throws: the `DeviceTrouble` of the first attempt, if both attempts fail.
  convenience init(name: String) throws(DeviceTrouble) {
    let pcm: OpaquePointer
    let setting: Setting
    do {
      (pcm, setting) = try Self.open(name)
    } catch let trouble where trouble.call.hasPrefix("open") {
      throw trouble
    } catch {
      do {
        (pcm, setting) = try Self.open("plug:SLAVE=\"\(name)\"")
      } catch _ {
        throw error
      }
    }
    self.init(name: name, pcm: pcm, setting: setting)
  }

  private init(name: String, pcm: OpaquePointer, setting: Setting) {
    self.name = name
    self.pcm = pcm
    channels = setting.channels
    periodFrames = setting.periodFrames
    bufferFrames = setting.bufferFrames
  }

  deinit { snd_pcm_close(pcm) }

  /// Writes interleaved frames to the sound device.
  ///
  /// - Returns: the number of frames that the sound device accepted; 0 if the buffer of the device
  ///   is full.
  /// - Throws: `DeviceTrouble`. The code `-EPIPE` means an underrun. After this error, the caller
  ///   must call `recover`.
  func write(_ frames: UnsafePointer<Int16>, count: Int) throws(DeviceTrouble) -> Int {
    let taken = snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count))
    if taken == -Int(EAGAIN) || taken == -Int(EINTR) { return 0 }
    guard taken >= 0 else { throw DeviceTrouble(call: "write", code: Int32(taken)) }
    return taken
  }

  /// Returns the number of frames that are written but not played yet; 0 if the sound device is not
  /// running.
  func delayFrames() -> Int {
    guard snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING else { return 0 }
    var delay: snd_pcm_sframes_t = 0
    return snd_pcm_delay(pcm, &delay) == 0 ? max(0, delay) : 0
  }

  /// True while the sound device plays the frames that the player has written.
  var isRunning: Bool { snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING }

  /// Starts the sound device if it has not started yet. A call is necessary after a short sound,
  /// because a sound device starts automatically only if its buffer contains enough frames.
  func startIfPrepared() {
    if snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
  }

  /// Recovers the sound device after an underrun or a suspend. The function does not call
  /// `snd_pcm_recover`, because that function can sleep for several seconds.
  func recover(from trouble: DeviceTrouble) throws(DeviceTrouble) {
    guard trouble.code == -EPIPE || trouble.code == -ESTRPIPE else { throw trouble }
    if trouble.code == -ESTRPIPE, snd_pcm_resume(pcm) == 0 { return }
    let code = snd_pcm_prepare(pcm)
    guard code >= 0 else { throw DeviceTrouble(call: "prepare", code: code) }
  }

  /// Silences the sound device at once. The frames that the sound device has not played yet are
  /// lost.
  func drop() { snd_pcm_drop(pcm) }

  // MARK: Negotiation

  private struct Setting {
    var channels = 2
    var periodFrames = 0
    var bufferFrames = 0
  }

  private static func open(_ name: String) throws(DeviceTrouble) -> (OpaquePointer, Setting) {
    var handle: OpaquePointer?
    let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard code >= 0, let pcm = handle else { throw DeviceTrouble(call: "open", code: code) }
    do {
      let setting = try negotiate(pcm)
      return (pcm, setting)
    } catch {
      snd_pcm_close(pcm)
      throw error
    }
  }

  private static func check(_ call: String, _ code: Int32) throws(DeviceTrouble) {
    if code < 0 { throw DeviceTrouble(call: call, code: code) }
  }

  private static func negotiate(_ pcm: OpaquePointer) throws(DeviceTrouble) -> Setting {
    var hardware: OpaquePointer?
    try check("allocate", snd_pcm_hw_params_malloc(&hardware))
    defer { snd_pcm_hw_params_free(hardware) }
    var setting = Setting()
    try check("parameters", snd_pcm_hw_params_any(pcm, hardware))
    try check(
      "access", snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    try check("format", snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16_LE))
    try check("rate", snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(CanonicalWAV.rate), 0))
    if snd_pcm_hw_params_set_channels(pcm, hardware, 2) < 0 {
      setting.channels = 1
      try check("channels", snd_pcm_hw_params_set_channels(pcm, hardware, 1))
    }
    var microseconds = bufferMicroseconds
    var direction: Int32 = 0
    try check(
      "buffer",
      snd_pcm_hw_params_set_buffer_time_near(pcm, hardware, &microseconds, &direction))
    microseconds = periodMicroseconds
    direction = 0
    try check(
      "period",
      snd_pcm_hw_params_set_period_time_near(pcm, hardware, &microseconds, &direction))
    try check("set", snd_pcm_hw_params(pcm, hardware))
    var frames: snd_pcm_uframes_t = 0
    try check("period", snd_pcm_hw_params_get_period_size(hardware, &frames, &direction))
    setting.periodFrames = max(1, Int(frames))
    try check("buffer", snd_pcm_hw_params_get_buffer_size(hardware, &frames))
    setting.bufferFrames = max(1, Int(frames))
    try setSoftware(pcm, setting)
    return setting
  }

  /// Configures the start and the end of the sound. A sound device processes frames in groups,
  /// called periods. When the buffer contains one period, the sound device starts to play. If the
  /// buffer becomes empty later, the sound device plays silence, and not old samples.
  private static func setSoftware(_ pcm: OpaquePointer, _ setting: Setting) throws(DeviceTrouble) {
    var software: OpaquePointer?
    try check("allocate", snd_pcm_sw_params_malloc(&software))
    defer { snd_pcm_sw_params_free(software) }
    try check("software", snd_pcm_sw_params_current(pcm, software))
    let period = snd_pcm_uframes_t(setting.periodFrames)
    try check("start", snd_pcm_sw_params_set_start_threshold(pcm, software, period))
    try check("wake", snd_pcm_sw_params_set_avail_min(pcm, software, period))
    var boundary: snd_pcm_uframes_t = 0
    if snd_pcm_sw_params_get_boundary(software, &boundary) == 0 {
      // Ignore an error: if these settings fail, the sound device still plays.
      _ = snd_pcm_sw_params_set_silence_threshold(pcm, software, 0)
      _ = snd_pcm_sw_params_set_silence_size(pcm, software, boundary)
    }
    try check("software", snd_pcm_sw_params(pcm, software))
  }
}
