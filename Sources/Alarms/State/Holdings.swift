/// For each user id: the number and the size of the user's alarms, recordings and pictures.
///
/// The values are computed from the events of the record.
struct Holdings: Sendable {
  /// The users who uploaded each picture. The key is the SHA-256 of the picture.
  var pictures: [String: Set<String>] = [:]
  /// The user who last added each recording. The key is the name of the recording.
  var tones: [String: String] = [:]
  /// The number of alarms of each user, without deleted alarms.
  var alarmCounts: [String: Int] = [:]
  /// The memory that the alarms of each user use, in bytes: see `Alarm.weight`.
  var weights: [String: Int] = [:]
  /// The memory that all alarms use, in bytes.
  var weight = 0

  /// Reads a list of events. For each picture and recording, stores the user who added this picture
  /// or recording.
  mutating func note(_ records: [Record]) {
    for record in records {
      switch record.event {
      case .imageAdded(let picture): pictures[picture.sha256, default: []].insert(record.actor.id)
      case .imageRemoved(let picture): pictures[picture.sha256] = nil
      case .toneAdded(let tone): tones[tone.name] = record.actor.id
      case .toneRemoved(let tone): tones[tone.name] = nil
      default: break
      }
    }
  }

  /// Updates the number and the size of alarms after an alarm was added or removed.
  ///
  /// - Parameter difference: 1 if the alarm was added, -1 if the alarm was removed.
  mutating func count(_ alarm: Alarm, of creator: String?, by difference: Int) {
    let added = difference * alarm.weight
    weight += added
    guard let creator else { return }
    Self.change(&alarmCounts, creator, by: difference)
    Self.change(&weights, creator, by: added)
  }

  private static func change(_ counts: inout [String: Int], _ user: String, by difference: Int) {
    let count = counts[user, default: 0] + difference
    counts[user] = count == 0 ? nil : count
  }
}

/// The limit of a resource for all users together, and the limit for one user.
///
/// `limit` applies to all users together, and `share` applies to each user. If all users together
/// have reached `limit`, each user can still use up to `limit / 16`. Therefore one user with many
/// objects cannot block the other users. This exception ends when all users together use 5/4 of
/// `limit`.
struct Quota {
  /// The amount of the resource that all users together may use. The unit depends on the resource:
  /// a number of objects, or a number of bytes.
  let limit: Int
  /// The amount of the resource that one user may use, in the unit of `limit`.
  let share: Int

  /// - Parameter parts: the divisor that gives `share`: one user may use at most `limit / parts` of
  ///   the resource.
  init(limit: Int, parts: Int) {
    self.limit = limit
    share = max(limit / parts, 1)
  }

  /// The total amount that each user may use even if all users together have reached `limit`. The
  /// total includes the amount that the user already uses.
  var guaranteed: Int { max(limit / 16, 1) }

  /// Returns the limit that prevents a user from adding an object or a number of bytes; nil if no
  /// limit prevents this. All values have the same unit as `limit`: objects or bytes.
  ///
  /// - Parameters:
  ///   - added: the number of objects or bytes to add.
  ///   - own: the number of objects or bytes that the user has now.
  ///   - total: the number of objects or bytes that all users together have now.
  ///   - former: the number of old objects or bytes that the addition replaces. `own` and `total`
  ///     do not include this number.
  func exceeded(adding added: Int, own: Int, total: Int, former: Int = 0) -> Exceeded? {
    if own + added > share { return .share }
    if added <= former || total + added <= limit { return nil }
    return own + added <= guaranteed && total + added <= limit + limit / 4 ? nil : .limit
  }

  enum Exceeded {
    /// After the addition, this user would use more of the resource than `Quota.share`.
    case share
    /// After the addition, all users together would use more of the resource than `Quota.limit`.
    /// The exception that the comment of `Quota` describes does not apply.
    case limit
  }
}

extension Decision {
  /// Returns the user who creates the alarm with this id; nil if this decision does not create the
  /// alarm.
  func creator(of id: AlarmID) -> String? {
    records.first { record in
      if case .alarmCreated(let alarm) = record.event { alarm.id == id } else { false }
    }?.actor.id
  }
}

extension HomeLimits {
  /// One user may own all alarms that the limit permits, because a home often has only one
  /// caretaker.
  var alarmQuota: Quota { Quota(limit: alarms, parts: 1) }
  var toneQuota: Quota { Quota(limit: tones, parts: 2) }
  var toneBytesQuota: Quota { Quota(limit: toneBytes, parts: 2) }
  var pictureQuota: Quota { Quota(limit: pictures, parts: 2) }
  var pictureBytesQuota: Quota { Quota(limit: pictureBytes, parts: 2) }
}

extension Tone {
  /// The size of the file in bytes. The file contains a header of 44 bytes and 96 bytes for each
  /// millisecond (16-bit samples at 48 kHz).
  public var bytes: Int { durationMilliseconds * 96 + 44 }

  /// Returns the refusal if a user cannot store this recording; nil if the user can store the
  /// recording.
  public func refusal(in home: HomeState, by user: String) -> Refusal? {
    home.refusesTone(named: name, bytes: bytes, by: user)
  }
}

extension HomeState {
  /// Returns true if a user uploaded this picture.
  public func hasUploaded(_ sha256: String, _ user: String) -> Bool {
    holdings.pictures[sha256]?.contains(user) ?? false
  }

  /// The SHA-256 of each recording that a tone or an active ring uses.
  public var neededRecordings: Set<String> {
    var needed = Set(tones.values.map(\.sha256))
    for prompt in active.compactMap({ prompts[$0] }) {
      if case .ringing(let ring, _) = prompt.state, let sha256 = ring.toneSHA256 {
        needed.insert(sha256)
      }
    }
    for member in activeRing?.members ?? [] {
      if case .ringing(let ring, _) = prompts[member.prompt]?.state, let sha256 = ring.toneSHA256 {
        needed.insert(sha256)
      }
    }
    if let sha256 = activeRing?.again?.toneSHA256 { needed.insert(sha256) }
    return needed
  }

  /// Adds a new alarm, or a new version of an alarm.
  mutating func define(
    _ alarm: Alarm, _ plan: SchedulePlan?, creator: @autoclosure () -> String?
  ) {
    guard let entry = entries[alarm.id] else { return begin(alarm, plan, creator()) }
    holdings.count(entry.alarm, of: entry.creator, by: -1)
    holdings.count(alarm, of: entry.creator, by: 1)
    entries[alarm.id]?.define(alarm, plan)
  }

  private mutating func begin(_ alarm: Alarm, _ plan: SchedulePlan?, _ creator: String?) {
    entries[alarm.id] = Entry(alarm: alarm, plan: plan, creator: creator)
    holdings.count(alarm, of: creator, by: 1)
  }

  /// Returns the refusal if a user cannot add another alarm; nil if the user can add an alarm.
  func refusesAlarm(by user: String) -> Refusal? {
    refusal(
      "add the alarm", limits.alarmQuota, adding: 1, own: holdings.alarmCounts[user] ?? 0,
      total: entries.count, "alarms")
  }

  /// Returns the refusal of a new recording if another recording already has this name; nil if the
  /// name is free.
  ///
  /// Without this refusal, a caretaker could overwrite a recorded voice by mistake.
  public func refusesName(ofTone name: String) -> Refusal? {
    NameMatch.find(name, in: tones.keys).map {
      Refusal(
        .conflict, field: "name",
        "there is already a recording \"\($0)\"; choose another name, or replace it (--replace)")
    }
  }

  /// Returns the refusal if a user cannot store a recording; nil if the user can store the
  /// recording.
  ///
  /// If a recording with the same name exists, the new recording replaces the old recording.
  /// Therefore the check does not count the old recording.
  public func refusesTone(named name: String, bytes: Int = 1, by user: String) -> Refusal? {
    let others = tones.values.filter { $0.name != name }
    let own = others.filter { holdings.tones[$0.name] == user }
    let former = tones[name]
    return refusal(
      "add the tone", limits.toneQuota, adding: 1, own: own.count, total: others.count,
      former: former == nil ? 0 : 1, "recordings")
      ?? refusal(
        "add the tone", limits.toneBytesQuota, adding: bytes,
        own: own.reduce(0) { $0 + $1.bytes }, total: others.reduce(0) { $0 + $1.bytes },
        former: former?.bytes ?? 0, "recordings", isBytes: true)
  }

  /// Returns the refusal if a user cannot store a new picture; nil if the user can store the
  /// picture.
  public func refusesPicture(bytes: Int = 1, by user: String) -> Refusal? {
    let own = pictures.values.filter { hasUploaded($0.sha256, user) }
    return refusal(
      "add the picture", limits.pictureQuota, adding: 1, own: own.count, total: pictures.count,
      "pictures")
      ?? refusal(
        "add the picture", limits.pictureBytesQuota, adding: bytes,
        own: own.reduce(0) { $0 + $1.bytes }, total: pictures.values.reduce(0) { $0 + $1.bytes },
        "pictures", isBytes: true)
  }

  private func refusal(
    _ doing: String, _ quota: Quota, adding added: Int, own: Int, total: Int,
    former: Int = 0, _ what: String, isBytes: Bool = false
  ) -> Refusal? {
    func amount(_ count: Int) -> String {
      isBytes ? "\(count >> 20) MiB of \(what)" : "\(count) \(what)"
    }
    switch quota.exceeded(adding: added, own: own, total: total, former: former) {
    case nil: return nil
    case .share:
      return Refusal(
        .limit,
        "cannot \(doing): one user may have at most \(amount(quota.share)); remove some first")
    case .limit:
      return Refusal(
        .limit,
        "cannot \(doing): all users together have \(amount(quota.limit)), which is the limit; "
          + "remove some first")
    }
  }
}
