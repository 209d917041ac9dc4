import CivilTime
import JSONValue

/// A message from the page server to the page. Each message is one line of JSON.
public enum ScreenUpdate {
  /// Returns a message with the screen and the clock.
  public static func screen(
    _ state: ScreenState, isNight: Bool, _ html: ScreenHTML, clock: ClockFace?
  ) -> String {
    JSON.object([
      ("key", .string(state.key)), ("html", .string(html.fragment(state))),
      ("calls", state.callingPrompt.map(JSON.string) ?? .null),
      ("theme", .string(isNight ? "night" : "day")), ("clock", clock?.json ?? .null),
    ]).description + "\n"
  }

  /// Returns a message with only the clock. The message also shows that the connection works.
  public static func clock(_ clock: ClockFace?) -> String {
    JSON.object([("clock", clock?.json ?? .null)]).description + "\n"
  }
}
