import Processes

/// Text for speech, without characters that the speech program treats as commands.
public enum SpeakableText {
  /// The maximum length of a text that Prompter speaks, in bytes of UTF-8.
  public static let mostBytes = 4_096

  /// Removes characters that cannot be spoken.
  ///
  /// - Control characters, line breaks and separators become one space. espeak-ng interprets some
  ///   control characters as commands: U+0001 changes pitch and speed.
  /// - Square brackets become spaces, because espeak-ng reads a text after `[[` as phonemes.
  /// - The function removes format characters (Cf), private and unassigned code points, and
  ///   noncharacters.
  public static func of(_ words: String) -> String { PlainLine.of(words) }
}
