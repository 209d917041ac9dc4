import Sentences

/// The limits and the words of a merged ring: one ring for several prompts of one person.
enum MergedRing {
  /// The maximum number of prompts in a merged ring. Adults can remember about four things for a
  /// short time (Cowan 2001). People with memory loss can often remember fewer.
  static let mostPrompts = 4
  /// The maximum length of all voices of a merged ring together, in milliseconds.
  ///
  /// A ring lasts at most 30 s. The remaining 6 s are necessary for the silence at the start, the
  /// chime and the first words. If the estimated lengths are right, the ring contains each voice
  /// completely.
  static let mostVoiceMilliseconds = 24_000
  /// The estimated length of a spoken character, in milliseconds. At 140 words a minute, a
  /// character of English or German takes about 75 ms. The estimate is 100 ms, so that most merged
  /// rings are shorter than estimated.
  static let characterMilliseconds = 100
  /// The time after which the other prompts repeat their ring, in seconds. The time begins when an
  /// answer to one prompt stops a merged ring.
  static let ringAgainSeconds: Int64 = 60

  /// Returns the words before the voices, such as `Three things:`, in the first language of `tags`
  /// that Prompter supports. If Prompter supports none of these languages, the words are English.
  ///
  /// - Parameters:
  ///   - count: the number of prompts in the ring, from 2 to `mostPrompts`.
  ///   - tags: the languages as BCP 47 tags, the preferred language first.
  static func opening(_ count: Int, in tags: [String]) -> SpokenWords {
    let things: [Sentence] = [.twoThings, .threeThings, .fourThings]
    let (language, tag) = Language.first(of: tags)
    return SpokenWords(things[count - 2].text(in: language), language: tag)
  }
}

extension Ring {
  /// True if the ring is a part of a merged ring.
  public var isMerged: Bool { leadingPrompt != nil }
}

extension PlayOrder {
  /// The voice of one prompt in a merged ring.
  public struct Part: Hashable, Sendable {
    /// The pause before the voice, in milliseconds. The pause is longer than the pauses in a
    /// sentence, so that a person hears where the voice of the next prompt begins.
    public static let pauseMilliseconds = 700

    public var prompt: PromptID
    public var ring: Int
    /// The SHA-256 of each recording that the player tries, in order of preference.
    public var tones: [String]
    /// The words that Prompter speaks if the player cannot play a recording.
    public var words: SpokenWords

    public init(prompt: PromptID, ring: Int, tones: [String], words: SpokenWords) {
      self.prompt = prompt
      self.ring = ring
      self.tones = tones
      self.words = words
    }
  }
}

extension VolatileState.ActiveRing {
  /// A prompt of the active ring, and the ring number of this prompt. If the active ring is a
  /// merged ring, `others` contains all its prompts except the leading prompt.
  struct Other: Sendable, Hashable {
    var prompt: PromptID
    var ring: Int
  }

  /// The prompts of the active ring, each with its ring number. The leading prompt is the first.
  var members: [Other] { [Other(prompt: prompt, ring: ring)] + others }

  /// Returns true if the ring is for this prompt, or if the ring is a merged ring with this prompt.
  func contains(_ id: PromptID) -> Bool {
    prompt == id || others.contains { $0.prompt == id }
  }
}
