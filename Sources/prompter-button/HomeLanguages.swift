import Sentences

/// The language in which the button speaks to the person.
struct ButtonLanguage: Hashable {
  var language: Language
  /// The BCP 47 tag of the voice.
  var voice: String

  /// - Parameter tags: BCP 47 tags, the preferred language first.
  init(_ tags: [String]) { (language, voice) = Language.first(of: tags) }
}

/// The part of the daemon's status that says in which language a person is spoken to.
struct HomeLanguages: Decodable {
  struct Row: Decodable {
    var person: String
    var language: String
  }

  struct You: Decodable {
    /// The only person whose data the user sees; nil for all people.
    var person: String?
  }

  /// The language of the home.
  var language: String
  var languages: [Row]
  var you: You

  /// The languages for a person, the preferred language first.
  ///
  /// - Parameter person: the person of the prompt; nil if no prompt calls. Then the person is the
  ///   only person whom the user sees, or nobody.
  func tags(for person: String?) -> [String] {
    let only = languages.count == 1 ? languages.first?.person : nil
    let own = languages.first { $0.person == person ?? you.person ?? only }?.language
    return [own, language].compactMap(\.self)
  }
}
