import Pages

/// The files of the caretaker's pages: the style sheet and the modules.
public enum CaretakerFile: String, CaseIterable, Sendable {
  case style = "caretaker.css"
  case main = "caretaker.js"
  case refresh = "refresh.js"
  case preview = "preview.js"
  case voice = "voice.js"
  /// The module that receives the event stream of the page server. The patient's screen uses the
  /// same module.
  case live = "live.js"

  public var bytes: [UInt8] {
    switch self {
    case .style: PackageResources.caretaker_css
    case .main: PackageResources.caretaker_js
    case .refresh: PackageResources.refresh_js
    case .preview: PackageResources.preview_js
    case .voice: PackageResources.voice_js
    case .live: ScreenFile.live.bytes
    }
  }

  public var contentType: String {
    rawValue.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
  }
}
