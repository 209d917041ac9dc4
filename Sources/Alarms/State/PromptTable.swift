/// A value in a place of its own: copying it counts one reference, and a table of many holds a word for each.
indirect enum Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
  case of(Value)

  init(_ value: Value) { self = .of(value) }

  var value: Value {
    switch self {
    case .of(let value): value
    }
  }
}

/// Prompts by their names.
///
/// Hash tables are at most three quarters full, and mostly much less: what lies in the table itself is paid
/// for in empty places too.
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
