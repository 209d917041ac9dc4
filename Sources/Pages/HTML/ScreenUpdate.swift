import CivilTime
import JSONValue

/// A message of the page server to the page: one line of JSON.
public enum ScreenUpdate {
  /// The screen and the clock.
  public static func screen(
    _ state: ScreenState, isNight: Bool, _ html: ScreenHTML, clock: ClockFace?
  ) -> String {
    JSON.object([
      ("key", .string(state.key)), ("html", .string(html.fragment(state))),
      ("calls", state.callingPrompt.map(JSON.string) ?? .null),
      ("theme", .string(isNight ? "night" : "day")), ("clock", clock?.json ?? .null),
    ]).description + "\n"
  }

  /// Only the clock. The message also shows that the connection works.
  public static func clock(_ clock: ClockFace?) -> String {
    JSON.object([("clock", clock?.json ?? .null)]).description + "\n"
  }
}
