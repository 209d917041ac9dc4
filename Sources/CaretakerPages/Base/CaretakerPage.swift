/// One page of the caretaker, with all addresses that begin with the name of this page.
///
/// To add a page: write a type that conforms to this protocol in a separate folder, add the type to
/// `CaretakerSite.pages`, and add its sentences to translations/caretaker-*.po.
public protocol CaretakerPage: Sendable {
  /// The first segment of the address, for example `alarms`; empty for the first page.
  var name: String { get }
  /// The words of the link in the navigation; nil if the navigation has no link to this page.
  var link: CaretakerSentence? { get }
  /// True if only a researcher sees the link. The daemon refuses the requests of this page if the
  /// user is not a researcher.
  var isForResearchers: Bool { get }

  /// Handles a GET request: shows a page.
  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply

  /// Handles a POST request: carries out a form.
  ///
  /// - Returns: a redirect after a change, so that a reload does not send the form again. After a
  ///   refusal, the result is the page with all values that the person typed.
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
  /// The title as plain text, not as HTML.
  public var title: String
  /// The HTML of the element `main`.
  public var html: String
  /// True if the page may reload after a change at home. The value is false for a page on which a
  /// person types.
  public var isLive = false

  public init(status: Int = 200, title: String, html: String, isLive: Bool = false) {
    (self.status, self.title, self.html, self.isLive) = (status, title, html, isLive)
  }
}

/// The reply of a page to a request.
public enum PageReply: Sendable, Hashable {
  case content(PageContent)
  /// A redirect (303) of the browser to a different address of this site.
  case redirect(to: String)
  /// A picture, a sound, or a part of a page that a script shows.
  case bytes(contentType: String, [UInt8])
  /// A file that the daemon sends and the browser stores.
  case download(HomeRequest, contentType: String, name: String)
  /// A file that the browser stores.
  case file(contentType: String, name: String, [UInt8])
  /// The page does not exist (404).
  case missing
}
