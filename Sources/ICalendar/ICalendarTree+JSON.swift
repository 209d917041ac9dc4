import JSONValue

/// A calendar file as JSON. The program `prompter-calendar` writes this JSON, and `prompter` reads
/// it.
///
/// The JSON contains lists instead of objects, because a file can have more than 100,000 lines, and
/// lists need less space. The JSON contains these lists:
///
/// - a component: name, line number, lines, components, offsets or null
/// - a line: name, line number, value, then the name and the value of each parameter
/// - offsets: start, end, first offset, then the second and the offset of each change
/// - a note: line number, property, reason
extension ICalendarTree {
  public var json: JSON {
    .object([
      ("components", .array(components.map(\.json))),
      (
        "notes",
        .array(
          notes.map {
            .array([.integer(Int64($0.line)), .string($0.property), .string($0.reason)])
          })
      ),
    ])
  }

  /// Reads a document that `json` wrote. The result is nil if the document has a different form.
  public init?(_ json: JSON) {
    guard let components = json["components"]?.array, let notes = json["notes"]?.array else {
      return nil
    }
    self.init()
    for component in components {
      guard let component = ICalendarComponent(component) else { return nil }
      self.components.append(component)
    }
    for note in notes {
      guard let parts = note.array, parts.count == 3, let line = parts[0].integer,
        let property = parts[1].string, let reason = parts[2].string
      else { return nil }
      self.notes.append(
        ICalendarNote(line: Int(clamping: line), property: property, reason: reason))
    }
  }
}

extension ICalendarComponent {
  fileprivate var json: JSON {
    .array([
      .string(name), .integer(Int64(number)), .array(lines.map(\.json)),
      .array(components.map(\.json)), offsets?.json ?? .null,
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let parts = json.array, parts.count == 5, let name = parts[0].string,
      let number = parts[1].integer, let lines = parts[2].array, let inner = parts[3].array
    else { return nil }
    self.init(name, number: Int(clamping: number))
    for line in lines {
      guard let line = ICalendarLine(line) else { return nil }
      self.lines.append(line)
    }
    for component in inner {
      guard let component = ICalendarComponent(component) else { return nil }
      components.append(component)
    }
    if parts[4] != .null {
      guard let offsets = ICalendarOffsets(parts[4]) else { return nil }
      self.offsets = offsets
    }
  }
}

extension ICalendarLine {
  fileprivate var json: JSON {
    var parts: [JSON] = [.string(name), .integer(Int64(number)), .string(value)]
    for parameter in parameters { parts += [.string(parameter.name), .string(parameter.value)] }
    return .array(parts)
  }

  fileprivate init?(_ json: JSON) {
    guard let parts = json.array, parts.count >= 3, parts.count % 2 == 1,
      let name = parts[0].string, let number = parts[1].integer, let value = parts[2].string
    else { return nil }
    self.init(name, [], value, number: Int(clamping: number))
    for index in stride(from: 3, to: parts.count, by: 2) {
      guard let name = parts[index].string, let value = parts[index + 1].string else { return nil }
      parameters.append(Parameter(name, value))
    }
  }
}

extension ICalendarOffsets {
  fileprivate var json: JSON {
    var numbers = [start, end, Int64(firstOffset)]
    for change in changes { numbers += [change.second, Int64(change.offset)] }
    return .array(numbers.map { .integer($0) })
  }

  fileprivate init?(_ json: JSON) {
    let parts = json.array ?? []
    let numbers = parts.compactMap(\.integer)
    guard numbers.count == parts.count, numbers.count >= 3, numbers.count % 2 == 1,
      numbers[0] <= numbers[1]
    else { return nil }
    self.init(
      start: numbers[0], end: numbers[1], firstOffset: Int(clamping: numbers[2]), changes: [])
    for index in stride(from: 3, to: numbers.count, by: 2) {
      changes.append(Change(second: numbers[index], offset: Int(clamping: numbers[index + 1])))
    }
  }
}
