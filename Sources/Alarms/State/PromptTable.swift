/// A value with its own heap allocation.
///
/// A copy of the box costs one reference count. A table needs one machine word for each box.
indirect enum Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
  case of(Value)

  init(_ value: Value) { self = .of(value) }

  var value: Value {
    switch self {
    case .of(let value): value
    }
  }
}

/// The open prompts by their ids.
///
/// A hash table is at most three quarters full, and mostly much less. If a table contained the
/// values directly, it would need memory for values in the empty slots too. Therefore this table
/// contains boxes.
struct PromptTable: Sendable {
  private var boxes: [PromptID: Boxed<Prompt>] = [:]

  var count: Int { boxes.count }
  var values: some Collection<Prompt> { boxes.values.lazy.map(\.value) }

  mutating func reserveCapacity(_ count: Int) { boxes.reserveCapacity(count) }

  func contains(_ id: PromptID) -> Bool { boxes[id] != nil }

  subscript(id: PromptID) -> Prompt? {
    get { boxes[id]?.value }
    set { boxes[id] = newValue.map { Boxed($0) } }
  }
}
