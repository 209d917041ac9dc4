import Sentences

/// The language in which the button speaks to the person.
struct ButtonLanguage: Hashable {
  var language: Language
  /// The BCP 47 tag of the voice.
  var voice: String

  /// - Parameter tags: BCP 47 tags in the order of preference, the most preferred language first.
  init(_ tags: [String]) { (language, voice) = Language.first(of: tags) }
}

/// The part of the daemon's status that contains the languages in which Prompter speaks to each
/// person.
struct HomeLanguages: Decodable {
  struct Row: Decodable {
    var person: String
    var language: String
  }

  struct You: Decodable {
    /// The only person whose data the user may see; nil if the user may see the data of all people.
    var person: String?
  }

  /// The language of the home. It applies to each person for whom no language is set.
  var language: String
  var languages: [Row]
  var you: You

  /// Returns the languages for a person, the most preferred language first.
  ///
  /// - Parameter person: the person for whom the prompt is; nil if no prompt calls. In this case,
  ///   the function uses the only person whose data the user may see, or the only person with a
  ///   language.
  func tags(for person: String?) -> [String] {
    let only = languages.count == 1 ? languages.first?.person : nil
    let own = languages.first { $0.person == person ?? you.person ?? only }?.language
    return [own, language].compactMap(\.self)
  }
}
