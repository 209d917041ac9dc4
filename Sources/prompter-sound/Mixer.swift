@preconcurrency import CALSA
@preconcurrency import Glibc
import SoundProtocol

/// A playback control of a sound card, with its values before and after the player changed them.
struct MixerElement: Codable, Equatable {
  struct Channel: Codable, Equatable {
    var channel: Int32
    var foundVolume: Int?
    var setVolume: Int?
    var foundSwitch: Int32?
    var setSwitch: Int32?
  }

  var name: String
  var index: UInt32
  var channels: [Channel]
}

/// The mixer of a sound card. The class uses the "simple element" interface of ALSA.
///
/// Every call of this interface can hang in the driver of the card. If a call hangs, the supervisor
/// kills this process after a time limit.
final class Mixer {
  /// The names of the controls that affect the sound of the player. The player never changes
  /// another control, for example capture, beep or line-in.
  static let ours: Set<String> = [
    "Master", "PCM", "Speaker", "Headphone", "Front", "Digital", "Line Out", "HDMI", "Playback",
  ]

  private let handle: OpaquePointer

  /// - Returns: nil if the control device does not exist or has no mixer.
  init?(control: String) {
    var opened: OpaquePointer?
    guard snd_mixer_open(&opened, 0) == 0, let handle = opened else { return nil }
    guard snd_mixer_attach(handle, control) == 0, snd_mixer_selem_register(handle, nil, nil) == 0,
      snd_mixer_load(handle) == 0
    else {
      snd_mixer_close(handle)
      return nil
    }
    self.handle = handle
  }

  deinit { snd_mixer_close(handle) }

  /// Returns the ALSA name of the control device that belongs to a sound device.
  ///
  /// Example: the control device of `plughw:CARD=Box,DEV=3` and of `hw:Box,3` is `hw:Box`. If the
  /// name of the sound device contains no colon, for example `default` or `pulse`, the control
  /// device has the same name.
  static func control(ofDevice name: String) -> String {
    guard let colon = name.firstIndex(of: ":") else { return name }
    let arguments = name[name.index(after: colon)...].split(separator: ",")
    guard let first = arguments.first(where: { $0.hasPrefix("CARD=") }) ?? arguments.first else {
      return name
    }
    return "hw:" + (first.hasPrefix("CARD=") ? first.dropFirst(5) : first)
  }

  /// Returns the present values of the controls, and changes nothing.
  func read() -> [MixerElement] {
    elements().map { element in
      MixerElement(
        name: String(cString: snd_mixer_selem_get_name(element)),
        index: snd_mixer_selem_get_index(element),
        channels: channels(of: element).map { channel in
          MixerElement.Channel(
            channel: channel.rawValue, foundVolume: volume(element, channel),
            foundSwitch: switched(element, channel))
        })
    }
  }

  /// Returns the level of the sound card; nil if the card has no control. If a card has several
  /// controls, the result contains the lowest of their levels. A level is in percent of the range
  /// of its control.
  func level() -> CardLevel? {
    let controls = elements()
    let percents = controls.compactMap(lowestPercent)
    let isMuted = controls.contains { element in
      channels(of: element).contains { switched(element, $0) == 0 }
    }
    return percents.min().map { CardLevel(foundPercent: $0, wasMuted: isMuted, setPercent: nil) }
  }

  private func lowestPercent(of element: OpaquePointer) -> Int? {
    var low = 0
    var high = 0
    guard snd_mixer_selem_has_playback_volume(element) != 0,
      snd_mixer_selem_get_playback_volume_range(element, &low, &high) == 0, high > low
    else { return nil }
    let lowest = channels(of: element).compactMap { volume(element, $0) }.min()
    return lowest.map { Int((Double($0 - low) * 100 / Double(high - low)).rounded()) }
  }

  /// Unmutes every channel of the controls in `found`, and sets the level of each channel to
  /// `percent`. The level is in percent of the range of the control.
  ///
  /// - Returns: the controls in `found`, with the values after the change.
  func set(percent: Int, on found: [MixerElement]) -> [MixerElement] {
    var changed = found
    for index in changed.indices {
      guard let element = element(like: changed[index]) else { continue }
      var low = 0
      var high = 0
      if snd_mixer_selem_has_playback_volume(element) != 0,
        snd_mixer_selem_get_playback_volume_range(element, &low, &high) == 0, high > low
      {
        snd_mixer_selem_set_playback_volume_all(element, low + (high - low) * percent / 100)
      }
      if snd_mixer_selem_has_playback_switch(element) != 0 {
        snd_mixer_selem_set_playback_switch_all(element, 1)
      }
      snd_mixer_handle_events(handle)
      for position in changed[index].channels.indices {
        let channel = snd_mixer_selem_channel_id_t(changed[index].channels[position].channel)
        changed[index].channels[position].setVolume = volume(element, channel)
        changed[index].channels[position].setSwitch = switched(element, channel)
      }
    }
    return changed
  }

  /// Restores the values that the controls had before the ring.
  ///
  /// If a person changed a value during the ring, the function keeps the value that the person set.
  func restore(_ elements: [MixerElement]) {
    snd_mixer_handle_events(handle)
    for saved in elements {
      guard let element = element(like: saved) else { continue }
      for entry in saved.channels {
        let channel = snd_mixer_selem_channel_id_t(entry.channel)
        if let found = entry.foundVolume, isAsLeft(entry.setVolume, volume(element, channel)) {
          snd_mixer_selem_set_playback_volume(element, channel, found)
        }
        if let found = entry.foundSwitch, isAsLeft(entry.setSwitch, switched(element, channel)) {
          snd_mixer_selem_set_playback_switch(element, channel, found)
        }
      }
    }
    snd_mixer_handle_events(handle)
  }

  /// Returns true if nobody has changed the value `now` since the player set it. `set` is the value
  /// that the player recorded. If the player crashed before it recorded the value, `set` is nil,
  /// and the function returns true.
  private func isAsLeft<Value: Equatable>(_ set: Value?, _ now: Value?) -> Bool {
    set == nil || set == now
  }

  // MARK: ALSA

  private func elements() -> [OpaquePointer] {
    var found: [OpaquePointer] = []
    var next = snd_mixer_first_elem(handle)
    while let element = next {
      let hasControl =
        snd_mixer_selem_has_playback_volume(element) != 0
        || snd_mixer_selem_has_playback_switch(element) != 0
      if hasControl, Self.ours.contains(String(cString: snd_mixer_selem_get_name(element))) {
        found.append(element)
      }
      next = snd_mixer_elem_next(element)
    }
    return found
  }

  private func element(like saved: MixerElement) -> OpaquePointer? {
    elements().first {
      String(cString: snd_mixer_selem_get_name($0)) == saved.name
        && snd_mixer_selem_get_index($0) == saved.index
    }
  }

  private func channels(of element: OpaquePointer) -> [snd_mixer_selem_channel_id_t] {
    (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t($0) }.filter {
      snd_mixer_selem_has_playback_channel(element, $0) != 0
    }
  }

  private func volume(_ element: OpaquePointer, _ channel: snd_mixer_selem_channel_id_t) -> Int? {
    var value = 0
    guard snd_mixer_selem_has_playback_volume(element) != 0,
      snd_mixer_selem_get_playback_volume(element, channel, &value) == 0
    else { return nil }
    return value
  }

  private func switched(
    _ element: OpaquePointer, _ channel: snd_mixer_selem_channel_id_t
  ) -> Int32? {
    var value: Int32 = 0
    guard snd_mixer_selem_has_playback_switch(element) != 0,
      snd_mixer_selem_get_playback_switch(element, channel, &value) == 0
    else { return nil }
    return value
  }
}
