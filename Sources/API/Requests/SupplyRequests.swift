import Alarms
import JSONValue

extension SupplyForm {
  /// Reads the body of a request that adds a supply.
  ///
  /// - Returns: the form, and the amount of the supply that the home has now.
  public static func readNew(
    body: [UInt8]
  ) throws(Refusal) -> (form: SupplyForm, left: Int64) {
    var fields = try FieldReader(body: body)
    let form = try SupplyForm(&fields)
    let left = try fields.amount("left")
    try fields.finish()
    return (form, left)
  }

  /// Reads the body of a request that changes a supply.
  public init(body: [UInt8]) throws(Refusal) {
    var fields = try FieldReader(body: body)
    try self.init(&fields)
    try fields.finish()
  }

  private init(_ fields: inout FieldReader) throws(Refusal) {
    self.init(
      name: try fields.string("name"), unit: try fields.string("unit"),
      lowAt: try fields.threshold("low_at"), contacts: try fields.strings("tell"))
  }
}

extension SupplyCommand {
  /// Reads the body of a request that adds an amount to a supply.
  public static func refill(_ name: String, body: [UInt8]) throws(Refusal) -> SupplyCommand {
    var fields = try FieldReader(body: body)
    let amount = try fields.amount("amount")
    try fields.finish()
    return .refill(name, by: amount)
  }

  /// Reads the body of a request that sets the counted amount of a supply.
  public static func count(_ name: String, body: [UInt8]) throws(Refusal) -> SupplyCommand {
    var fields = try FieldReader(body: body)
    let left = try fields.amount("left")
    try fields.finish()
    return .count(name, left: left)
  }
}

extension FieldReader {
  fileprivate mutating func amount(_ name: String) throws(Refusal) -> Int64 {
    guard let amount = try integer(name) else {
      throw Refusal(.invalidField, field: name, "it is missing; give a whole number")
    }
    return Int64(amount)
  }

  /// Reads the threshold of a supply: an amount, or the text `none` for no threshold.
  fileprivate mutating func threshold(_ name: String) throws(Refusal) -> SupplyForm.Threshold? {
    guard let value = any(name) else { return nil }
    if value.string == "none" { return SupplyForm.Threshold.none }
    guard let amount = value.integer else {
      throw Refusal(.invalidField, field: name, "it must be a whole number or \"none\"")
    }
    return .at(amount)
  }

  /// Reads the supplies that an alarm uses. The value of the field is the text `none` or a list.
  /// Each element of the list is a text such as `Donepezil=2`, or an object.
  mutating func uses(_ name: String) throws(Refusal) -> [SupplyUseForm]? {
    guard let value = any(name) else { return nil }
    if value.string == "none" { return [] }
    guard let list = value.array else {
      throw Refusal(.invalidField, field: name, "it must be a list or \"none\"")
    }
    var uses: [SupplyUseForm] = []
    for json in list {
      if let words = json.string {
        uses.append(try SupplyUseForm(words: words, field: name))
        continue
      }
      var fields = try FieldReader(json: json, within: name)
      let typed = try fields.string("supply")
      let id = try fields.string("supply_id")
      guard let supply = id ?? typed else {
        throw Refusal(.invalidField, field: name, "each entry must have a supply")
      }
      uses.append(
        SupplyUseForm(supply: supply, amount: try fields.integer("amount").map(Int64.init)))
      try fields.finish()
    }
    return uses
  }
}

extension SupplyUseForm {
  /// Reads the name of a supply, and the amount if there is one, from a text such as `Donepezil` or
  /// `Donepezil=2`.
  fileprivate init(words: String, field: String) throws(Refusal) {
    guard let equals = words.lastIndex(of: "=") else {
      self.init(supply: words)
      return
    }
    guard let amount = Int64(words[words.index(after: equals)...]) else {
      throw Refusal(
        .invalidField, field: field,
        "\"\(words)\" is not a supply with an amount; write it like Donepezil or Donepezil=2")
    }
    self.init(supply: String(words[..<equals]), amount: amount)
  }
}
