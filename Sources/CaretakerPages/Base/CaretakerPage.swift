/// One page of the caretaker, with the addresses below it.
///
/// To add a page: write a type that conforms to this protocol in a folder of its own, add it to
/// `CaretakerSite.pages`, and add its sentences to translations/caretaker-*.po.
public protocol CaretakerPage: Sendable {
  /// The first segment of the address, for example `alarms`; empty for the first page.
  var name: String { get }
  /// The words of the link in the navigation; nil if the page has no link there.
  var link: CaretakerSentence? { get }
  /// True if only a researcher sees the link. The daemon refuses the page to everybody else.
  var isForResearchers: Bool { get }

  /// Shows a page. The request was a GET.
  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply

  /// Carries out a form. The request was a POST.
  ///
  /// - Returns: after a change a redirect, so that a reload does not send the form again. After a
  ///   refusal the page with everything that the person typed.
  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply
}

extension CaretakerPage {
  public var isForResearchers: Bool { false }

  public func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    .missing
  }
}

/// The content of a page below its navigation.
public struct PageContent: Sendable, Hashable {
  public var status = 200
  /// The title in words. Not HTML.
  public var title: String
  /// The HTML of the element `main`.
  public var html: String
  /// True if the page may replace itself after a change at home. False for a page on which somebody
  /// types.
  public var isLive = false

  public init(status: Int = 200, title: String, html: String, isLive: Bool = false) {
    (self.status, self.title, self.html, self.isLive) = (status, title, html, isLive)
  }
}

/// What a page answers.
public enum PageReply: Sendable, Hashable {
  case content(PageContent)
  /// Leads the browser to another address of this site (303).
  case redirect(to: String)
  /// A picture, a sound, or a part of a page that a script shows.
  case bytes(contentType: String, [UInt8])
  /// A file that the daemon sends and the browser stores.
  case download(HomeRequest, contentType: String, name: String)
  /// A file that the browser stores.
  case file(contentType: String, name: String, [UInt8])
  /// There is no such page (404).
  case missing
}
