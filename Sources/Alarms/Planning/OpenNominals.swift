/// The keys (`PromptID.nominalKey`) of the open prompts of one alarm.
///
/// Almost every alarm has exactly one open prompt. A set with one key needs more memory than the
/// key alone. Therefore, the case `one` contains the key without a set.
enum OpenNominals: Sendable {
  case none
  case one(Int64)
  case several(Set<Int64>)

  var isEmpty: Bool {
    switch self {
    case .none: true
    case .one: false
    case .several(let keys): keys.isEmpty
    }
  }

  /// The keys of all open prompts of the alarm. Their order is not defined.
  var keys: Set<Int64> {
    switch self {
    case .none: []
    case .one(let key): [key]
    case .several(let keys): keys
    }
  }

  func contains(_ key: Int64) -> Bool {
    switch self {
    case .none: false
    case .one(let only): only == key
    case .several(let keys): keys.contains(key)
    }
  }

  /// Returns true if `isWanted` is true for at least one key.
  func contains(where isWanted: (Int64) -> Bool) -> Bool {
    switch self {
    case .none: false
    case .one(let only): isWanted(only)
    case .several(let keys): keys.contains(where: isWanted)
    }
  }

  mutating func insert(_ key: Int64) {
    switch self {
    case .none: self = .one(key)
    case .one(let only) where only == key: break
    case .one(let only): self = .several([only, key])
    case .several(var keys):
      self = .none
      keys.insert(key)
      self = .several(keys)
    }
  }

  mutating func remove(_ key: Int64) {
    switch self {
    case .one(key): self = .none
    case .none, .one: break
    case .several(var keys):
      self = .none
      keys.remove(key)
      self = keys.count == 1 ? keys.first.map { .one($0) } ?? .none : .several(keys)
    }
  }
}
