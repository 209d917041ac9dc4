import CaretakerPages
import Sentences
import StudyExport

/// The page on which a person types the code for a new phone.
public struct PairPage: Sendable {
  /// The reason why the program did not accept the code that the person sent before. The page shows
  /// this reason.
  public enum Trouble: Error, Sendable, Hashable {
    case refused(Invitations.Refusal)
    case tooManyDevices
    case notSaved
  }

  private let language: Language
  private let trouble: Trouble?

  /// - Parameter languages: the languages of the browser as BCP 47 tags, the most preferred
  ///   language first.
  public init(languages: [String], trouble: Trouble? = nil) {
    language = languages.lazy.compactMap(Language.init(tag:)).first ?? .english
    self.trouble = trouble
  }

  public var html: String {
    """
    <!DOCTYPE html>
    <html lang="\(language.rawValue)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(say(.pairTitle)) – Prompter</title>
    <link rel="stylesheet" href="/caretaker.css">
    \(CaretakerSite.installLinks)
    <script type="module" src="/pair.js"></script>
    </head>
    <body>
    <main id="main" class="alone">
    <h1>\(say(.pairTitle))</h1>
    \(notice)<form method="post" action="/pair">
    <p data-typed><label for="code">\(say(.pairCode))</label></p>
    <p data-scanned hidden>\(say(.pairScanned))</p>
    <p><input id="code" name="code" required autocomplete="one-time-code" inputmode="numeric"
      maxlength="64" spellcheck="false"></p>
    <p><button class="main">\(say(.pairButton))</button></p>
    </form>
    <p data-typed>\(say(.pairHelp))</p>
    </main>
    </body>
    </html>

    """
  }

  private var notice: String {
    guard let trouble else { return "" }
    return "<p class=\"notice refused\" role=\"alert\">\(say(Self.sentence(trouble)))</p>\n"
  }

  private static func sentence(_ trouble: Trouble) -> PhoneSentence {
    switch trouble {
    case .refused(.noInvitation): .pairNoInvitation
    case .refused(.wrongCode(0)): .pairNoTriesLeft
    case .refused(.wrongCode(let left)): .pairWrongCode(count: left)
    case .refused(.locked(let minutes)): .pairLocked(count: minutes)
    case .tooManyDevices: .pairTooManyDevices
    case .notSaved: .pairNotSaved
    }
  }

  private func say(_ sentence: PhoneSentence) -> String {
    let text =
      switch language {
      case .english: sentence.en
      case .german: sentence.de
      case .vietnamese: sentence.vi
      }
    return HTMLText.escaped(text)
  }
}
