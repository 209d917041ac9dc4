/// The files of the page that shows the screen: the style sheet and the modules.
public enum ScreenFile: String, CaseIterable, Sendable {
  case style = "screen.css"
  case main = "main.js"
  case alive = "alive.js"
  case live = "live.js"
  case clock = "clock.js"
  case swap = "swap.js"
  case press = "press.js"
  case answers = "answers.js"
  case again = "again.js"
  case questionStyle = "question.css"
  case photo = "photo.js"
  case refusal = "refusal.js"

  public var bytes: [UInt8] {
    switch self {
    case .style: PackageResources.screen_css
    case .main: PackageResources.main_js
    case .alive: PackageResources.alive_js
    case .live: PackageResources.live_js
    case .clock: PackageResources.clock_js
    case .swap: PackageResources.swap_js
    case .press: PackageResources.press_js
    case .answers: PackageResources.answers_js
    case .again: PackageResources.again_js
    case .questionStyle: PackageResources.question_css
    case .photo: PackageResources.photo_js
    case .refusal: PackageResources.refusal_js
    }
  }

  public var contentType: String {
    rawValue.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
  }
}
