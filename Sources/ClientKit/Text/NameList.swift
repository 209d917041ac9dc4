import Alarms

/// A list of objects, for example alarms. A user can select an object by its id, its label or the
/// beginning of its id.
package struct NameList {
  /// An object that a user can select, for example an alarm or a prompt.
  package struct Row: Equatable {
    package var id: String
    package var label: String
    /// The words that distinguish the object from other objects with the same label.
    package var words: String
    /// False if the object is over, for example an alarm that never rings again. If a name matches
    /// several objects, the search ignores the objects that are over. If all matching objects are
    /// over, the search uses all of them.
    package var isCurrent: Bool

    package init(id: String, label: String, words: String, isCurrent: Bool = true) {
      (self.id, self.label, self.words, self.isCurrent) = (id, label, words, isCurrent)
    }
  }

  /// The result of a search.
  package enum Found: Equatable {
    case one(Row)
    /// Several objects match. The user must choose one of them.
    case several([Row])
    /// No object matches. `nearest` is a label that the user perhaps meant: a similar label, or a
    /// label that contains the typed text.
    case none(nearest: String?)
  }

  /// The minimum number of characters of an id that a user must type if the user does not type the
  /// whole id.
  package static let shortestPrefix = 4

  private let rows: [Row]

  package init(_ rows: [Row]) { self.rows = rows }

  /// Finds the object that a typed name means.
  ///
  /// The function searches in this order: an equal id, an equal label, a label that differs only in
  /// upper and lower case, and an id that begins with the typed text.
  package func find(_ typed: String) -> Found {
    if let same = rows.first(where: { $0.id == typed }) { return .one(same) }
    let folded = typed.lowercased()
    let ways: [(Row) -> Bool] = [
      { $0.label == typed }, { $0.label.lowercased() == folded },
      { typed.count >= Self.shortestPrefix && $0.id.hasPrefix(folded) },
      // The id of a prompt contains the capital letter T, but `folded` contains only small letters.
      // Therefore, also compare the id with `typed`.
      { typed.count >= Self.shortestPrefix && $0.id.hasPrefix(typed) },
    ]
    for fits in ways {
      let fitting = rows.filter(fits)
      let current = fitting.filter(\.isCurrent)
      let found = current.isEmpty ? fitting : current
      if found.count == 1 { return .one(found[0]) }
      if found.count > 1 { return .several(found) }
    }
    let longer = rows.first { $0.isCurrent && $0.label.lowercased().contains(folded) }?.label
    return .none(nearest: NameMatch.nearest(typed, among: rows.map(\.label)) ?? longer)
  }

  /// Returns the error for a typed name that matches several objects.
  ///
  /// - Parameter noun: the word for the objects in the plural, for example "alarms".
  package static func ambiguous(_ typed: String, _ rows: [Row], _ noun: String) -> Failure {
    let shown = rows.prefix(10).map {
      "\n  \($0.id)  \(TextFormat.oneLine($0.label))\($0.words.isEmpty ? "" : ", \($0.words)")"
    }
    let more = rows.count > shown.count ? "\n  and \(rows.count - shown.count) more" : ""
    return .refused(
      "\"\(typed)\" can mean \(rows.count) \(noun); give the id of one of them:\(shown.joined())\(more)"
    )
  }
}
