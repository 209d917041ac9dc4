import API
import CivilTime
import JSONValue
import Sentences

/// All pages of the caretaker.
public struct CaretakerSite: Sendable {
  /// The pages, in the order of the navigation. To add a page, add it here.
  static let pages: [any CaretakerPage] = [
    TodayPage(), AlarmsPage(), MessagesPage(), HistoryPage(), VoicesPage(), HomePage(),
    PhonesPage(), ImportPage(), StudyPage(),
  ]

  /// The language from the command line; nil for the language of the browser.
  var language: Language?

  /// True if a phone can add the pages to its home screen.
  var isInstallable: Bool

  /// - Parameter isInstallable: true if the server has the files of `installLinks`.
  public init(language: Language?, isInstallable: Bool = false) {
    (self.language, self.isInstallable) = (language, isInstallable)
  }

  /// The elements of the HTML head with which a phone can add the pages to its home screen.
  public static let installLinks = """
    <link rel="manifest" href="/manifest.json">
    <link rel="icon" href="/icon-180.png">
    <link rel="apple-touch-icon" href="/icon-180.png">
    """

  /// A reply to the browser.
  public struct Reply: Sendable, Hashable {
    public var status: Int
    public var contentType: String
    public var bytes: [UInt8]
    /// The address to which the browser goes; nil if the browser stays on the page.
    public var location: String?
    /// A file that the server sends from the daemon to the browser; nil if the reply is not such a
    /// file.
    public var download: Download?
    /// The name under which the browser stores the bytes; nil if the browser shows the bytes.
    public var fileName: String?
  }

  /// A file that the daemon sends.
  public struct Download: Sendable, Hashable {
    public var request: HomeRequest
    /// The name of the file on the computer of the person.
    public var name: String
  }

  /// Answers a request.
  ///
  /// - Parameter form: the fields of the form; nil for a request that changes nothing.
  public func reply(to visit: Visit, form: FormFields?, home: any CaretakerHome) -> Reply {
    let language = language(for: visit)
    let page = Self.pages.first { $0.name == visit.path.first ?? "" }
    var frame = SiteFrame(
      language: language, visit: visit, current: page?.name, isInstallable: isInstallable)
    do throws(HomeTrouble) {
      let context = PageContext(
        visit: visit, home: home, household: try Self.household(home), language: language)
      frame.isForResearcher = context.household.isResearcher
      guard let page else { return Self.html(frame.missing, frame, shownAt: context.household) }
      let answer =
        if let form { try page.take(form, context) } else { try page.show(context) }
      return Self.reply(answer, frame, shownAt: context.household)
    } catch {
      return Self.html(frame.trouble(error), frame, shownAt: nil)
    }
  }

  private func language(for visit: Visit) -> Language {
    language ?? visit.languages.lazy.compactMap(Language.init(tag:)).first ?? .english
  }

  private static func household(_ home: any CaretakerHome) throws(HomeTrouble) -> Household {
    func read(_ request: HomeRequest) throws(HomeTrouble) -> JSON {
      let reply = try home.send(request)
      guard reply.isAccepted else { throw .refused(HomeRefusal(reply)) }
      guard let document = try? JSON(parsing: reply.body) else {
        throw .unreadable(field: "body")
      }
      return document
    }
    return try Household(
      status: read(HomeRequest(.status)),
      people: read(HomeRequest(.listPeople, query: ["limit": "1000"])), zone: home.zone)
  }

  private static func reply(_ answer: PageReply, _ frame: SiteFrame, shownAt: Household) -> Reply {
    switch answer {
    case .content(let content): html(content, frame, shownAt: shownAt)
    case .redirect(let address):
      Reply(status: 303, contentType: "text/plain", bytes: [], location: address)
    case .bytes(let type, let bytes): Reply(status: 200, contentType: type, bytes: bytes)
    case .download(let request, let type, let name):
      Reply(
        status: 200, contentType: type, bytes: [],
        download: Download(request: request, name: name))
    case .file(let type, let name, let bytes):
      Reply(status: 200, contentType: type, bytes: bytes, fileName: name)
    case .missing: html(frame.missing, frame, shownAt: shownAt)
    }
  }

  private static func html(
    _ content: PageContent, _ frame: SiteFrame, shownAt household: Household?
  ) -> Reply {
    let page = frame.page(content, at: household?.local.time)
    return Reply(
      status: content.status, contentType: "text/html; charset=utf-8", bytes: Array(page.utf8))
  }
}
