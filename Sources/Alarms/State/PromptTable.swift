/// A box: a value that Swift stores in an object of its own on the heap.
///
/// A copy of a box only increases a reference count. In a table, each box needs only one machine
/// word.
indirect enum Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
  case of(Value)

  init(_ value: Value) { self = .of(value) }

  var value: Value {
    switch self {
    case .of(let value): value
    }
  }
}

/// The open prompts, and the closed prompts that must stay in memory. The key is the id of the
/// prompt.
///
/// At least a quarter of the slots of a hash table are empty. If the slots contained whole prompts,
/// each empty slot would need the memory of a prompt. Therefore, a slot contains only a reference
/// to a prompt (`Boxed`).
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
