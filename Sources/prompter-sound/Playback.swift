@preconcurrency import Glibc
import SoundProcessing
import SoundProtocol

/// The playback of one ring on a sound device: opening ▶ playing ▶ draining ▶ over.
///
/// The player uses CLOCK_MONOTONIC to compute how many frames it may write. The player writes
/// frames at most 100 ms ahead of real time. A sound device processes frames in groups, called
/// periods. If two periods take longer than 100 ms, the limit is the length of two periods.
///
/// The limit is necessary because the speed at which a sound device accepts frames is not reliable.
/// For example, the ALSA plug-ins `file` and `null` accept 2 s of sound in 0.15 s. Without the
/// limit, the player could write a whole ring before a stop command arrives.
final class Playback {
  /// The maximum length of the sound that the player has written and the sound device has not
  /// played yet, in milliseconds. A sound device takes the sound in parts of equal length, the
  /// periods of ALSA. If two periods are longer than this value, the maximum is two periods.
  static let aheadMilliseconds = 100.0
  static let reportEveryMilliseconds = 250.0
  /// The maximum number of attempts to open a sound device while the sound devices are busy. Each
  /// attempt tries all sound devices.
  ///
  /// `busyPauseMilliseconds` is the pause between two attempts.
  static let busyRounds = 4
  static let busyPauseMilliseconds = 300.0
  /// The maximum difference between the computed end and the real end of a ring, in milliseconds.
  /// During this time, the sound device can still play the last frames.
  static let drainGraceMilliseconds = 1_000.0

  private enum State {
    /// `index` is the index of the next sound device to try. `round` is the number of the present
    /// attempt, counted from 1. `troubles` contains the errors of this attempt. If a sound device
    /// failed during the ring, `round` is `busyRounds`, so that no further attempt follows.
    case opening(index: Int, round: Int, troubles: [(name: String, trouble: DeviceTrouble)])
    case waiting(until: Double, round: Int)
    case playing(Device)
    case draining(Device, until: Double)
    case over
  }

  let id: String
  private let audio: RingAudio
  private let devices: [OutputDevice]
  private let streams: PlayerStreams
  private let mixer: MixerRestorer?
  private var state = State.opening(index: 0, round: 1, troubles: [])
  private var framesTaken = 0
  private var xruns = 0
  private var level: CardLevel?
  /// True if the sound device has accepted no frame since the last interruption of the sound.
  private var isInGap = false
  /// A time in milliseconds, and the number of the frame that should sound at this time. The player
  /// uses both values to compute the number of the frame that should sound now. After an underrun,
  /// the player sets both values again.
  private var anchor: (time: Double, frame: Int)?
  private var lastReport = 0.0
  private var buffer: [Int16] = []

  init(
    id: String, audio: RingAudio, devices: [OutputDevice], streams: PlayerStreams,
    mixer: MixerRestorer?
  ) {
    self.id = id
    self.audio = audio
    self.devices = devices
    self.streams = streams
    self.mixer = mixer
  }

  var isOver: Bool { if case .over = state { true } else { false } }

  /// Returns the time in milliseconds until the caller must call `turn` again.
  func millisecondsToNextTurn() -> Int32 {
    switch state {
    case .opening: 0
    case .waiting(let until, _): Int32(max(0, min(50, until - monotonicMilliseconds())))
    case .playing, .draining: 10
    case .over: 0
    }
  }

  /// Performs the next operation that is due: opens the sound device, writes samples to the device,
  /// or closes the device. If no operation is due, the function does nothing.
  func turn() {
    switch state {
    case .opening(let index, let round, let troubles):
      open(index: index, round: round, troubles: troubles)
    case .waiting(let until, let round):
      if monotonicMilliseconds() >= until { state = .opening(index: 0, round: round, troubles: []) }
    case .playing(let device): fill(device)
    case .draining(let device, let until): drain(device, until: until)
    case .over: break
    }
  }

  /// Silences the sound device at once and ends the ring.
  func stop() {
    switch state {
    case .playing(let device), .draining(let device, _):
      let played = framesPlayed(device)
      device.drop()
      end(device: device.name, frames: played, stopped: true)
    case .opening, .waiting: end(device: "", frames: 0, stopped: true)
    case .over: break
    }
  }

  // MARK: Opening

  private func open(
    index: Int, round: Int, troubles: [(name: String, trouble: DeviceTrouble)]
  ) {
    guard index < devices.count else { return openAgain(round: round, troubles: troubles) }
    let name = devices[index].name
    // Report the name of the sound device before the device is opened. If the call that opens the
    // device hangs, the daemon (`SpeakerSupervisor`) then knows the name of the device that hangs.
    streams.send(.opening(device: name))
    do {
      let device = try Device(name: name)
      level = devices[index].levelPercent.flatMap { mixer?.raise(forDevice: name, percent: $0) }
      if round == 1, let last = troubles.last { report(last.trouble, from: last.name, to: name) }
      state = .playing(device)
      anchor = nil
      framesTaken = 0
      fill(device)
    } catch {
      if round == 1, let last = troubles.last { report(last.trouble, from: last.name, to: name) }
      state = .opening(index: index + 1, round: round, troubles: troubles + [(name, error)])
    }
  }

  private func openAgain(round: Int, troubles: [(name: String, trouble: DeviceTrouble)]) {
    if round < Self.busyRounds, troubles.contains(where: \.trouble.isBusy) {
      let until = monotonicMilliseconds() + Self.busyPauseMilliseconds
      state = .waiting(until: until, round: round + 1)
      return
    }
    state = .over
    let reasons = troubles.map { "\($0.name): \($0.trouble)" }.joined(separator: "; ")
    streams.send(
      .failed(id: id, reason: reasons.isEmpty ? "no device is configured" : reasons))
  }

  private func report(_ trouble: DeviceTrouble, from: String, to: String) {
    streams.send(.fallback(id: id, from: from, to: to, reason: "\(trouble)"))
  }

  // MARK: Playing

  private func fill(_ device: Device) {
    if let anchor, anchor.frame + framesSince(anchor) > framesTaken, device.delayFrames() == 0 {
      // The player wrote the frames too late, so the listener heard an interruption of the sound.
      // Some sound devices do not report such an interruption as an underrun, so count it here.
      noteGap()
    }
    do {
      while framesTaken < audio.totalFrames {
        let room = min(framesDue(device) - framesTaken, audio.totalFrames - framesTaken)
        guard room >= min(device.periodFrames, audio.totalFrames - framesTaken) else { break }
        let taken = try write(device, count: min(room, device.periodFrames))
        if taken == 0 { break }
      }
    } catch {
      return leave(device, because: error)
    }
    reportProgress(device)
    guard framesTaken >= audio.totalFrames else { return }
    device.startIfPrepared()
    state = .draining(device, until: endTime() + Self.drainGraceMilliseconds)
  }

  private func write(_ device: Device, count: Int) throws(DeviceTrouble) -> Int {
    let samples = count * device.channels
    if buffer.count < samples { buffer = [Int16](repeating: 0, count: samples) }
    var result: Result<Int, DeviceTrouble> = .success(0)
    buffer.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      audio.render(from: framesTaken, count: count, channels: device.channels, into: base)
      result = Result { () throws(DeviceTrouble) in try device.write(base, count: count) }
    }
    do {
      let taken = try result.get()
      if taken > 0 { take(taken, device) }
      return taken
    } catch {
      try device.recover(from: error)
      noteGap()
      return 0
    }
  }

  private func noteGap() {
    if !isInGap { xruns += 1 }
    isInGap = true
    anchor = (monotonicMilliseconds(), framesTaken)
  }

  private func take(_ frames: Int, _ device: Device) {
    if anchor == nil { anchor = (monotonicMilliseconds(), 0) }
    let isFirst = framesTaken == 0
    framesTaken += frames
    isInGap = false
    guard isFirst else { return }
    lastReport = monotonicMilliseconds()
    streams.send(.started(id: id, device: device.name, level: level))
  }

  /// Returns the index of the first frame that the player must not write yet.
  private func framesDue(_ device: Device) -> Int {
    let ahead = max(Int(Self.aheadMilliseconds) * 48, 2 * device.periodFrames)
    let room = min(ahead, max(device.bufferFrames, device.periodFrames))
    guard let anchor else { return room }
    return anchor.frame + framesSince(anchor) + room
  }

  private func framesSince(_ anchor: (time: Double, frame: Int)) -> Int {
    Int((monotonicMilliseconds() - anchor.time) * 48)
  }

  /// Returns the time at which the last written frame has sounded, in milliseconds of
  /// CLOCK_MONOTONIC.
  private func endTime() -> Double {
    guard let anchor else { return monotonicMilliseconds() }
    return anchor.time + Double(framesTaken - anchor.frame) / 48
  }

  private func framesPlayed(_ device: Device) -> Int {
    max(0, framesTaken - device.delayFrames())
  }

  private func reportProgress(_ device: Device) {
    let now = monotonicMilliseconds()
    guard framesTaken > 0, now - lastReport >= Self.reportEveryMilliseconds else { return }
    lastReport = now
    streams.send(.progress(id: id, framesPlayed: framesPlayed(device)))
  }

  // MARK: Ending

  /// Ends the ring if the last frames have sounded. If they have not sounded at the time `until`,
  /// the sound device has failed. The function does not call `snd_pcm_drain`, because that function
  /// never returns if the sound server hangs.
  private func drain(_ device: Device, until: Double) {
    let now = monotonicMilliseconds()
    reportProgress(device)
    guard now >= endTime() else { return }
    let isDry = !device.isRunning || device.delayFrames() == 0
    guard isDry || now >= until else { return }
    if !isDry { return leave(device, because: DeviceTrouble(call: "drain", code: -ETIMEDOUT)) }
    device.drop()
    end(device: device.name, frames: framesTaken, stopped: false)
  }

  private func end(device: String, frames: Int, stopped: Bool) {
    streams.send(
      .ended(id: id, device: device, framesPlayed: frames, xruns: xruns, stopped: stopped))
    // This assignment releases the object `Device`, and the object then closes the sound device.
    // This close can hang. Therefore the player sends the report `ended` first.
    state = .over
  }

  /// Handles the failure of a sound device during the ring. The player plays the whole ring again
  /// on the next sound device.
  private func leave(_ device: Device, because trouble: DeviceTrouble) {
    device.drop()
    let index = (devices.firstIndex { $0.name == device.name } ?? 0) + 1
    state = .opening(index: index, round: Self.busyRounds, troubles: [(device.name, trouble)])
    if index < devices.count { report(trouble, from: device.name, to: devices[index].name) }
  }
}
