import CivilTime
import Sentences
import StudyExport

/// The HTML around the content of each page: the head, the navigation and the notice "offline".
struct SiteFrame: Sendable {
  var language: Language
  var visit: Visit
  /// The name of the page that the person sees; nil if the requested page does not exist.
  var current: String?
  /// True if a phone can add the pages to its home screen.
  var isInstallable = false
  /// True if the navigation shows the pages of a researcher.
  var isForResearcher = false

  /// - Parameter time: the local time at home; nil if the home did not answer.
  func page(_ content: PageContent, at time: ClockTime?) -> String {
    let title = HTMLText.escaped(content.title)
    let offline = time.map { say(.offline(time: DateWords.time($0))) } ?? say(.unreachableTitle)
    return """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) – Prompter</title>
      <link rel="stylesheet" href="/caretaker.css">
      \(isInstallable ? CaretakerSite.installLinks : "<link rel=\"icon\" href=\"data:,\">")
      <script type="module" src="/caretaker.js"></script>
      </head>
      <body>
      <a class="skip" href="#main">\(say(.skipToContent))</a>
      <header class="site">
      <nav aria-label="\(say(.pagesOfSite))"><ul>
      \(links)</ul></nav>
      </header>
      <p id="offline" class="notice refused" role="alert" hidden>\(offline)</p>
      <main id="main" tabindex="-1" data-version="\(visit.version)"\(content.isLive ? " data-live" : "")>
      \(content.html)</main>
      </body>
      </html>

      """
  }

  private var links: String {
    CaretakerSite.pages.map { page in
      guard let link = page.link, isForResearcher || !page.isForResearchers else { return "" }
      let mark = page.name == current ? " aria-current=\"page\"" : ""
      let address = page.name.isEmpty ? "/" : Link.to(page.name)
      return "<li><a href=\"\(address)\"\(mark)>\(say(link))</a></li>\n"
    }.joined()
  }

  // MARK: Pages without a content

  var missing: PageContent {
    content(404, .missingTitle, "<p><a href=\"/\">\(say(.toToday))</a></p>\n")
  }

  func trouble(_ trouble: HomeTrouble) -> PageContent {
    switch trouble {
    case .unreachable(let why):
      return content(
        503, .unreachableTitle, "<p>\(say(.unreachableHelp))</p>\n\(english(why))\(again)")
    case .refused(let refusal):
      return content(refusal.status, .refusedTitle, "\(english(refusal.detail))\(again)")
    case .unreadable(let field):
      let why = "the field \"\(field)\" in a reply of the daemon is wrong or missing"
      return content(502, .refusedTitle, "\(english(why))\(again)")
    }
  }

  private var again: String {
    let address = "/" + visit.path.map(Link.encoded).joined(separator: "/") + visit.query.asQuery
    return
      "<p><a class=\"button\" href=\"\(HTMLText.escaped(address))\">\(say(.tryAgain))</a></p>\n"
  }

  private func content(
    _ status: Int, _ title: CaretakerSentence, _ html: String
  ) -> PageContent {
    PageContent(
      status: status, title: title.text(in: language), html: "<h1>\(say(title))</h1>\n\(html)")
  }

  private func english(_ text: String) -> String {
    "<p lang=\"en\" class=\"detail\">\(HTMLText.escaped(text))</p>\n"
  }

  private func say(_ sentence: CaretakerSentence) -> String {
    HTMLText.escaped(sentence.text(in: language))
  }
}
